import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase } from '../../testing/database.ts'
import type { ManualClock } from '../../testing/manual-clock.ts'
import { freshMessages, type MessagesWorld } from '../../testing/messages-world.ts'
import type { TestUser } from '../../testing/users.ts'
import { messageHolders } from './index.ts'

const database = useTestDatabase()
let clock: ManualClock
let world: MessagesWorld
let holder: TestUser
/** Messages to the bot, which Telegram keeps until they are confirmed. */
let updates: { update_id: number; message?: unknown }[]
/** How the Bot API refuses to send a message; undefined if it sends it. */
let refusal: { error_code: number; description: string; parameters?: object } | undefined

beforeEach(async () => {
  ;({ clock, world, holder } = await freshMessages(database.db))
  updates = []
  refusal = undefined
  // The part of the Bot API that the service uses.
  world.telegram.on.request = (response, { path, body }) => {
    const reply = (status: number, answer: object) =>
      response.writeHead(status).end(JSON.stringify(answer))
    const { offset = 0 } = JSON.parse(body)
    if (path.endsWith('/getMe')) return reply(200, { ok: true, result: { username: 'dct_bot' } })
    if (path.endsWith('/getUpdates')) {
      const result = updates.filter(({ update_id }) => update_id >= offset)
      return reply(200, { ok: true, result })
    }
    return refusal === undefined
      ? reply(200, { ok: true, result: {} })
      : reply(refusal.error_code, { ok: false, ...refusal })
  }
})

const write = (text: string, person = { id: 77, username: 'budi', language_code: 'id' }) => {
  const message = { chat: { id: person.id }, from: person, text }
  updates.push({ update_id: 1_000 + updates.length, message })
}
const readBot = () => world.bot.step()
const sent = () =>
  world.telegram.received
    .filter(({ path }) => path === '/bot1:secret/sendMessage')
    .map(({ body }) => JSON.parse(body) as { chat_id: string; text: string })
const tell = (key: string) =>
  inTransaction(database.db, (tx) =>
    messageHolders(tx, [
      {
        ...{ userId: holder.id, kind: 'referral_reward', key, at: clock.now() },
        facts: { amount: { asset: 'USDT', units: 2_500_000_000_000_000_000n } },
      },
    ]),
  )
const described = async () => (await world.call('GET', '/user/messages', holder)).body
async function askCode(language = 'en') {
  await readBot()
  const { body } = await world.call('POST', '/user/messages/telegram', holder, { language })
  return /^https:\/\/t\.me\/dct_bot\?start=([\w-]{1,64})$/.exec(body.url)?.[1] ?? ''
}

test('a code from a holder’s link links one chat, once, and messages arrive there in the holder’s language', async () => {
  expect((await described()).offered.telegram).toBe(false)
  expect(
    await world.call('POST', '/user/messages/telegram', holder, { language: 'en' }),
  ).toMatchObject({
    ...{ status: 409, body: { code: 'CHANNEL_NOT_OFFERED' } },
  })
  const code = await askCode()
  expect((await described()).offered.telegram).toBe(true)
  write(`/start ${code}`)
  await readBot()
  await readBot()
  expect((await described()).telegram).toEqual({ name: '@budi', state: 'linked' })
  await tell('1')
  await tell('1')
  await world.deliver()
  expect(sent()).toEqual([
    expect.objectContaining({ chat_id: '77', text: expect.stringContaining('is now linked') }),
    expect.objectContaining({
      chat_id: '77',
      text: expect.stringMatching(
        /referral reward\n\n.*2\.500000 USDT from .*\n\nOpen: https:\/\/earn/s,
      ),
    }),
  ])

  // The code is used up, so somebody who has read it over the holder’s shoulder cannot link a chat.
  write(`/start ${code}`, { id: 88, username: 'eve', language_code: 'id' })
  await readBot()
  expect((await described()).telegram).toEqual({ name: '@budi', state: 'linked' })
  expect(sent().at(-1)).toMatchObject({
    chat_id: '88',
    text: expect.stringContaining('tidak berlaku lagi'),
  })
})

test('a code expires after an hour, and other messages to the bot are ignored', async () => {
  const code = await askCode()
  clock.advanceMs(3_600_000)
  write('hello')
  write(`/start ${code}`)
  await readBot()
  expect((await described()).telegram).toBeNull()
  expect(sent()).toHaveLength(1)
})

test('nothing more is sent to a holder who has blocked the bot, and sending waits for as long as Telegram requests', async () => {
  write(`/start ${await askCode()}`)
  await readBot()
  const before = sent().length
  refusal = { error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 40 } }
  await tell('1')
  await world.deliver()
  clock.advanceMs(39_000)
  await world.deliver()
  expect(sent()).toHaveLength(before + 1)
  refusal = { error_code: 403, description: 'Forbidden: bot was blocked by the user' }
  clock.advanceMs(1_000)
  await world.deliver()
  expect((await described()).telegram).toEqual({ name: '@budi', state: 'ended' })
  await tell('2')
  await world.deliver()
  expect(sent()).toHaveLength(before + 2)

  expect(await world.call('DELETE', '/user/messages/telegram', holder)).toMatchObject({
    status: 200,
  })
  expect((await described()).telegram).toBeNull()
})

test('of several workers, only one reads the bot’s updates', async () => {
  const { promise: others, resolve: release } = Promise.withResolvers<void>()
  const answerNow = world.telegram.on.request
  world.telegram.on.request = async (...request) => {
    await others
    return answerNow(...request)
  }
  let ended = 0
  const readAndCount = async () => {
    await readBot()
    ended += 1
    if (ended === 2) release()
  }
  await Promise.all([1, 2, 3].map(readAndCount))
  const reads = world.telegram.received.filter(({ path }) => path.endsWith('/getUpdates'))
  expect(reads).toHaveLength(1)
})

test('a group that became a supergroup keeps its messages, under its new id', async () => {
  write(`/start ${await askCode()}`)
  await readBot()
  await tell('1')
  refusal = {
    error_code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: -100_123 },
  }
  await world.deliver()
  refusal = undefined
  await tell('2')
  world.telegram.received.splice(0)
  await world.deliver()
  expect(sent().map(({ chat_id }) => chat_id)).toEqual(['-100123'])
})

test('updates that do not fit stop neither the bot nor the ones after them, and names are stored clean', async () => {
  const code = await askCode()
  for (const message of [
    null,
    'x',
    {},
    { chat: null },
    { chat: { id: 'a' } },
    { chat: { id: 7 }, text: 5 },
  ])
    updates.push({ update_id: 1_000 + updates.length, message })
  updates.push({ update_id: 1_000 + updates.length })
  write(`/start ${code}`, { id: 77, username: 'bu\0di\ud800', language_code: 'xx' })
  await readBot()
  expect((await described()).telegram).toEqual({ name: '@bu di', state: 'linked' })
})

test.each([
  'null',
  '[]',
  '"x"',
  '{"ok":true}',
  '{"ok":true,"result":null}',
  '{"ok":true,"result":[null]}',
  '<html>',
])('a Bot API that answers %s is a failure that says so', async (answer) => {
  world.telegram.on.request = (response) => response.end(answer)
  await expect(readBot()).rejects.toThrow(/^Telegram /)
})
