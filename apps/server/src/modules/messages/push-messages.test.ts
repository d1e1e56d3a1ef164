import { ECDH } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { createBrowser, freshMessages, type MessagesWorld } from '../../testing/messages-world.ts'
import type { TestUser } from '../../testing/users.ts'
import { messageHolders } from './index.ts'

const database = useTestDatabase()
let world: MessagesWorld
let holder: TestUser
let browser: ReturnType<typeof createBrowser>

beforeEach(async () => {
  ;({ world, holder } = await freshMessages(database.db))
  browser = createBrowser(`${world.push.url}/send/1`)
})

const subscribe = (by = holder, one = browser, language = 'id') =>
  world.call('POST', '/user/messages/push', by, { ...one.subscription, language })
const tell = (key: string) =>
  inTransaction(database.db, (tx) =>
    messageHolders(tx, [
      {
        ...{ userId: holder.id, kind: 'reward_sent', key, at: new Date('2026-01-10T05:00:00Z') },
        facts: {
          ...{ plan_code: 'PLAN-360', claim_code: 'CL-1', tx_hash: '0xabc' },
          amount: { asset: 'DCT', units: 1_500_000n },
        },
      },
    ]),
  )
const described = async (by = holder) => (await world.call('GET', '/user/messages', by)).body.push

test('a browser can decrypt its message, in the holder’s language and with the message’s id as its topic', async () => {
  const { status } = await subscribe()
  expect(status).toBe(200)
  await tell('1')
  await tell('1')
  await world.deliver()
  const [sent, ...others] = world.push.received
  expect(others).toEqual([])
  if (sent === undefined) throw new Error('nothing was sent')
  const message = browser.read(sent)
  expect(message).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    kind: 'reward_sent',
    title: '1,500000 DCT telah masuk ke dompet Anda',
    body: 'Imbalan sebesar 1,500000 DCT dari klaim CL-1 di PLAN-360 telah dikirim ke dompet Anda. Transaksi: 0xabc',
    url: '/dashboard',
    waiting: 0,
  })
  expect(sent.path).toBe('/send/1')
  expect(sent.headers).toMatchObject({
    ...{ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '259200' },
    topic: message.id.replaceAll('-', ''),
    authorization: expect.stringMatching(/^vapid t=/),
  })
})

test.each([404, 410])(
  'a subscription ends when the push service answers with %i',
  async (status) => {
    await subscribe()
    world.push.on.request = (response) => response.writeHead(status).end()
    await tell('1')
    await world.deliver()
    expect(await described()).toMatchObject([{ state: 'ended' }])
    await tell('2')
    await world.deliver()
    expect(world.push.received).toHaveLength(1)
  },
)

test('a browser belongs to whoever subscribed there last, and each of a holder’s browsers receives messages', async () => {
  const other = await world.givenUser()
  const phone = createBrowser(`${world.push.url}/send/2`)
  const first = await subscribe(other)
  const mine = await subscribe()
  await subscribe(holder, phone)
  expect(await described(other)).toEqual([])
  expect(await described()).toMatchObject([
    { endpoint: browser.subscription.endpoint, state: 'subscribed' },
    { endpoint: phone.subscription.endpoint, state: 'subscribed' },
  ])
  await tell('1')
  await world.deliver()
  expect(world.push.received.map(({ path }) => path).toSorted()).toEqual(['/send/1', '/send/2'])

  const remove = (id: string, by = holder) => world.call('DELETE', `/user/messages/push/${id}`, by)
  expect((await remove(mine.body.id, other)).status).toBe(404)
  expect((await remove(first.body.id)).status).toBe(404)
  expect((await remove(mine.body.id)).status).toBe(200)
  await tell('2')
  await world.deliver()
  expect(world.push.received.at(-1)?.path).toBe('/send/2')
  expect(world.push.received).toHaveLength(3)
})

test('a browser that replaces its subscription receives messages through the new one, even after the push service has ended the former', async () => {
  const renewed = createBrowser(`${world.push.url}/send/2`)
  const renew = (former: object, to: object = renewed.subscription) =>
    world.call('POST', '/messages/push-renewal', undefined, { former, renewed: to })
  const { body: subscribed } = await subscribe()
  world.push.on.request = (response) => response.writeHead(410).end()
  await tell('1')
  await world.deliver()
  expect(await described()).toMatchObject([{ state: 'ended' }])

  const stranger = createBrowser(browser.subscription.endpoint).subscription
  expect(await renew(stranger)).toMatchObject({ status: 404, body: { code: 'NO_SUCH_CHANNEL' } })
  const odd = { ...renewed.subscription, endpoint: 'ftp://push.example.com/1' }
  expect((await renew(browser.subscription, odd)).body.code).toBe('SUBSCRIPTION_INVALID')
  expect(await renew(browser.subscription)).toMatchObject({ status: 200, body: subscribed })
  expect((await renew(browser.subscription)).status).toBe(404)
  expect(await described()).toMatchObject([
    { id: subscribed.id, endpoint: renewed.subscription.endpoint, state: 'subscribed' },
  ])

  world.push.on.request = (response) => response.writeHead(201).end()
  await tell('2')
  await world.deliver()
  const [, sent] = world.push.received
  if (sent === undefined) throw new Error('nothing was sent')
  expect(sent.path).toBe('/send/2')
  expect(renewed.read(sent)).toMatchObject({ kind: 'reward_sent' })
})

test('whoever has already subscribed with the new subscription keeps it, and the former one is removed', async () => {
  const other = await world.givenUser()
  const renewed = createBrowser(`${world.push.url}/send/2`)
  await subscribe()
  const { body: theirs } = await subscribe(other, renewed)
  const body = { former: browser.subscription, renewed: renewed.subscription }
  const answer = await world.call('POST', '/messages/push-renewal', undefined, body)
  expect(answer).toMatchObject({ status: 200, body: theirs })
  expect([await described(), await described(other)]).toMatchObject([[], [{ id: theirs.id }]])
})

/** 65 bytes that are no point of the curve. */
function keyOf(first: number, others: number): string {
  return Buffer.concat([Buffer.from([first]), Buffer.alloc(64, others)]).toString('base64url')
}

/** The same point in OpenSSL's hybrid form. */
function hybridOf(key: string): string {
  const bytes = Buffer.from(key, 'base64url')
  return Buffer.from(ECDH.convertKey(bytes, 'prime256v1', undefined, undefined, 'hybrid')).toString(
    'base64url',
  )
}

test('an invalid subscription is refused', async () => {
  const { keys } = browser.subscription
  for (const odd of [
    { endpoint: 'ftp://push.example.com/1', keys },
    { endpoint: 'nonsense', keys },
    { endpoint: 'https://push.example.com/1', keys: { ...keys, p256dh: 'short' } },
    { endpoint: 'https://push.example.com/1', keys: { ...keys, auth: 'short' } },
    { endpoint: 'https://push.example.com/1', keys: { ...keys, p256dh: keyOf(0, 0) } },
    { endpoint: 'https://push.example.com/1', keys: { ...keys, p256dh: keyOf(4, 7) } },
    {
      endpoint: 'https://push.example.com/1',
      keys: { ...keys, p256dh: hybridOf(keys.p256dh) },
    },
  ]) {
    const answer = await world.call('POST', '/user/messages/push', holder, {
      ...odd,
      language: 'en',
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'SUBSCRIPTION_INVALID' } })
  }
  expect(await described()).toEqual([])
})
