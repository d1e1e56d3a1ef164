import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase } from '../../testing/database.ts'
import type { ManualClock } from '../../testing/manual-clock.ts'
import {
  createBrowser,
  freshMessages,
  givenEmail,
  type MessagesWorld,
  readMail,
} from '../../testing/messages-world.ts'
import { drain } from '../../testing/outbox-world.ts'
import type { TestUser } from '../../testing/users.ts'
import { messageHolders } from './index.ts'

const database = useTestDatabase(24)
let clock: ManualClock
let world: MessagesWorld
let holder: TestUser

beforeEach(async () => {
  ;({ clock, world, holder } = await freshMessages(database.db))
})

const messageOne = (userId: bigint, ...keys: string[]) =>
  inTransaction(database.db, (tx) =>
    messageHolders(
      tx,
      keys.map((key) => ({
        ...{ userId, kind: 'referral_reward', key: `${userId}:${key}`, at: clock.now() },
        facts: { amount: { asset: 'USDT', units: 10n ** 18n } },
      })),
    ),
  )
const message = (...keys: string[]) => messageOne(holder.id, ...keys)
const ids = () =>
  Promise.all(world.mail.mails.map(async (mail) => (await readMail(mail)).messageId))
const alarms = async () =>
  (await database.db.selectFrom('alarm').selectAll().where('cleared_at', 'is', null).execute()).map(
    ({ kind, subject, message }) => [kind, subject, message],
  )

test('a booking that is rolled back sends nothing', async () => {
  await givenEmail(database.db, holder, 'holder@example.com')
  const failed = inTransaction(database.db, async (tx) => {
    await messageHolders(tx, [
      {
        ...{ userId: holder.id, kind: 'referral_reward', key: '1', at: clock.now() },
        facts: { amount: { asset: 'USDT', units: 1n } },
      },
    ])
    throw new Error('rolled back')
  })
  await expect(failed).rejects.toThrow('rolled back')
  await world.deliver()
  expect(world.mail.mails).toEqual([])
})

test('of several workers, one sends a message; if it dies after sending, another repeats it under the same id', async () => {
  await givenEmail(database.db, holder, 'holder@example.com')
  await message('1', '2', '3', '4', '5', '6', '7')
  await world.dispatch()
  await Promise.all([1, 2, 3].map(() => drain(world.worker())))
  expect(new Set(await ids()).size).toBe(7)
  expect(world.mail.mails).toHaveLength(7)

  // The state after the worker's death: the delivery was taken and sent, but not recorded.
  const due_at = new Date(clock.now().getTime() + 120_000)
  await database.db
    .updateTable('outbox_delivery')
    .set({ state: 'pending', ended_at: null, due_at })
    .where('id', '=', 1n)
    .execute()
  await world.deliver()
  expect(world.mail.mails).toHaveLength(7)
  clock.advanceMs(120_000)
  await Promise.all([1, 2, 3].map(() => drain(world.worker())))
  const sent = await ids()
  expect(sent).toHaveLength(8)
  expect(sent.slice(0, 7)).toContain(sent[7])
})

/** Subscribes a browser of a holder. */
async function subscribe(user: TestUser, name: string) {
  const browser = createBrowser(`${world.push.url}/${name}`)
  const body = { ...browser.subscription, language: 'en' }
  expect((await world.call('POST', '/user/messages/push', user, body)).status).toBe(200)
  return browser
}

/** Attempts to send everything, four times within half an hour. */
async function tryToDeliver() {
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    await world.deliver()
    clock.advanceMs(600_000)
  }
}

test('while one browser’s push service fails, its message waits and others are sent; nobody is alarmed', async () => {
  const browser = await subscribe(holder, 'secret-endpoint')
  await givenEmail(database.db, await world.givenUser(), 'other@example.com')
  await database.db
    .insertInto('message_channel')
    .values({
      ...{ user_id: holder.id, kind: 'email', address: 'holder@example.com', label: '' },
      ...{ push_key: null, push_secret: null, ended_at: null },
      ...{ created_at: clock.now(), confirmed_at: clock.now() },
    })
    .execute()
  world.push.on.request = (response) => response.writeHead(503).end()
  await message('1')
  await tryToDeliver()
  expect(world.mail.mails).toHaveLength(1)
  expect(world.push.received).toHaveLength(4)
  expect(await alarms()).toEqual([])
  world.push.on.request = (response) => response.writeHead(201).end()
  clock.advanceMs(6 * 3_600_000)
  await world.deliver()
  expect(world.push.received).toHaveLength(5)
  expect(browser.read(world.push.received[4] ?? never())).toEqual(
    browser.read(world.push.received[0] ?? never()),
  )
})

test.each([
  ['the push service refuses the service’s key', 403, 1],
  ['the push services of several holders fail', 503, 3],
])(
  'when %s, an alarm says so and names nobody, and ends by itself',
  async (_what, status, count) => {
    for (let at = 0; at < count; at += 1) {
      const user = await world.givenUser()
      await subscribe(user, `secret-${at}`)
      await messageOne(user.id, '1')
    }
    world.push.on.request = (response) => response.writeHead(status).end()
    await tryToDeliver()
    expect(await alarms()).toEqual([
      [
        ...['messages.failing', 'holder_push'],
        `Messages do not reach holders: The push service answered ${status}.`,
      ],
    ])
    world.push.on.request = (response) => response.writeHead(201).end()
    clock.advanceMs(3_600_000)
    await world.deliver()
    expect(await alarms()).toEqual([])
    const states = await database.db.selectFrom('outbox_delivery').select('state').execute()
    expect(states).toEqual(Array(count).fill({ state: 'sent' }))
  },
)

test('nothing is sent to a removed account, not even pending messages', async () => {
  const { forgetHolder } = await import('./index.ts')
  await givenEmail(database.db, holder, 'holder@example.com')
  await message('1')
  await inTransaction(database.db, (tx) => forgetHolder(tx, holder.id))
  await message('2')
  await world.deliver()
  expect(world.mail.mails).toEqual([])
})

function never(): never {
  throw new Error('nothing was received')
}
