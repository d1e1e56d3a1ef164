import { expect, test } from 'vitest'
import { startReceiver } from '../../../testing/receivers.ts'
import { isPublic, post } from './post.ts'

const ANY = { body: '{}', headers: {}, mayReach: () => true }
const PUBLIC_ONLY = { ...ANY, mayReach: isPublic }

test.each([
  ['93.184.216.34', true],
  ['2606:2800:220:1::1', true],
  ['127.0.0.1', false],
  ['10.1.2.3', false],
  ['172.16.0.1', false],
  ['192.168.1.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['224.0.0.1', false],
  ['::1', false],
  ['::', false],
  ['fd00::1', false],
  ['fe80::1', false],
  ['::ffff:127.0.0.1', false],
  ['::ffff:10.0.0.1', false],
])('%s is public: %s', (address, expected) => expect(isPublic(address)).toBe(expected))

test('neither an address nor a name in a private network is contacted', async () => {
  const receiver = await startReceiver()
  const { port } = new URL(receiver.url)
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
    await expect(post(`http://${host}:${port}/`, PUBLIC_ONLY)).rejects.toThrow(
      /is not on the public internet/,
    )
  }
  expect(receiver.received).toEqual([])
  expect((await post(receiver.url, ANY)).status).toBe(204)
  expect((await post(`http://localhost:${port}/`, ANY)).status).toBe(204)
})

test('a redirect is an answer, and is not followed', async () => {
  const [first, second] = [await startReceiver(), await startReceiver()]
  first.on.request = (response) => response.writeHead(307, { location: second.url }).end()
  expect((await post(first.url, ANY)).status).toBe(307)
  expect(second.received).toEqual([])
})

test('only a few kilobytes of an endless answer are read', async () => {
  const receiver = await startReceiver()
  receiver.on.request = (response) => {
    response.writeHead(200)
    const go = () => {
      while (response.writable && response.write('x'.repeat(16_384)));
    }
    response.on('drain', go)
    go()
  }
  const { status, body } = await post(receiver.url, { ...ANY, longestAnswer: 4_096 })
  expect([status, body.length]).toEqual([200, 4_096])
})

test('an error does not contain the path', async () => {
  const receiver = await startReceiver()
  await receiver.stop()
  const refused = post(`${receiver.url}/secret-token`, ANY)
  await expect(refused).rejects.toThrow(/ECONNREFUSED/)
  await expect(refused).rejects.not.toThrow(/secret/)
})
