import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { askHttp, type HttpFailure, type HttpQuestion } from './ask-http.ts'

/** A server that answers every request with these bytes and then does nothing more. */
async function startServer(onRequest: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  let requests = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    socket.on('data', () => {
      requests += 1
      onRequest(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: () => sockets.size,
    requests: () => requests,
  }
}

const LIMITS = { connectMs: 300, wholeMs: 300, mostBytes: 1_000 }
const ask = (url: string, more: Partial<HttpQuestion> = {}) =>
  askHttp({ method: 'POST', url: `${url}/s3cret`, body: '{}', limits: LIMITS, ...more })
const reasonOf = (reply: Promise<unknown>) =>
  reply.then(
    () => 'answered',
    ({ reason, message }: HttpFailure) => `${reason} ${message.includes('s3cret')}`,
  )

const PROTOCOL_SWITCH =
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'
test.each([
  ['says nothing', '', 'TIMEOUT'],
  ['switches protocols unasked', PROTOCOL_SWITCH, 'BROKEN'],
  ['sends half of its headers', 'HTTP/1.1 200 OK\r\nContent-', 'TIMEOUT'],
  ['sends only its headers', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', 'TIMEOUT'],
  ['never ends its body', 'HTTP/1.1 200 OK\r\n\r\nhe', 'TIMEOUT'],
  ['keeps saying that it goes on', 'HTTP/1.1 102 Processing\r\n\r\n', 'TIMEOUT'],
  ['speaks another protocol', '220 mail.example.org ESMTP\r\n', 'HPE_INVALID_CONSTANT'],
  [
    'packs its body unasked',
    'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhe',
    'ENCODED',
  ],
])(
  'a request to a server that %s ends within its limits and leaves no connection',
  async (_what, answer, reason) => {
    const server = await startServer((socket) => socket.write(answer))
    expect(await reasonOf(ask(server.url))).toBe(`${reason} false`)
    await expect.poll(server.open).toBe(0)
  },
)

test('a body that trickles in without end is cut off by the limit on the whole', async () => {
  const server = await startServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const trickle = setInterval(() => socket.write('x'), 20)
    socket.on('close', () => clearInterval(trickle))
  })
  expect(await reasonOf(ask(server.url))).toBe('TIMEOUT false')
  await expect.poll(server.open).toBe(0)
})

test('a host that accepts no connection ends within the limit on connecting', async () => {
  // Reserved for documentation: nobody answers there.
  const reply = ask('http://192.0.2.1:81', { limits: { ...LIMITS, wholeMs: 60_000 } })
  expect(await reasonOf(reply)).toMatch(/^(TIMEOUT|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH) false$/)
})

test('a reply that is cut off by the server is no answer', async () => {
  const server = await startServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe'),
  )
  expect(await reasonOf(ask(server.url))).toBe('ECONNRESET false')
})

test('no more than the limit is read of a long reply', async () => {
  const server = await startServer((socket) =>
    socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(100_000)}`),
  )
  const { body, isCut } = await ask(server.url)
  expect([body.length, isCut]).toEqual([1_000, true])
  await expect.poll(server.open).toBe(0)
})

test('where the status is enough, a body that never ends is not waited for', async () => {
  const server = await startServer((socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nhe'))
  const { status } = await ask(server.url, { isEnough: (found) => found === 200 })
  expect(status).toBe(200)
  await expect.poll(server.open).toBe(0)
})

test('a redirect is an answer, and is not followed', async () => {
  const other = await startServer(() => undefined)
  const server = await startServer((socket) =>
    socket.write(`HTTP/1.1 307 Moved\r\nLocation: ${other.url}\r\nContent-Length: 0\r\n\r\n`),
  )
  expect((await ask(server.url)).status).toBe(307)
  expect(other.requests()).toBe(0)
})

test('a kept connection that the server has closed meanwhile is replaced', async () => {
  const server = await startServer((socket) => {
    if (server.requests() === 2) socket.destroy()
    else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
  })
  expect((await ask(server.url)).body).toBe('ok')
  expect((await ask(server.url)).body).toBe('ok')
  expect(server.requests()).toBe(3)
})

test('a request is answered although the server has closed every kept connection meanwhile', async () => {
  const used = new Set<Socket>()
  const server = await startServer((socket) => {
    if (used.has(socket)) socket.destroy()
    else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    used.add(socket)
  })
  await Promise.all([ask(server.url), ask(server.url), ask(server.url)])
  expect((await ask(server.url)).body).toBe('ok')
  expect(server.requests()).toBe(5)
})
