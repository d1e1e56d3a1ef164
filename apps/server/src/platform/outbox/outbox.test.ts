import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  drain,
  FORMER_SECRET,
  FUNDS,
  SITE,
  useOutboxWorld,
  verified,
} from '../../testing/outbox-world.ts'
import { type Received, startMailServer, startReceiver } from '../../testing/receivers.ts'
import { clearAlarm, openAlarms, raiseAlarm } from '../alarms/alarms.ts'
import { inTransaction } from '../database/db.ts'
import type { Channel } from './channels/channel.ts'
import { createEmailChannel } from './channels/email.ts'
import { createTelegramChannel } from './channels/telegram.ts'
import { SETTLED_MS } from './dispatch-messages.ts'
import { channelCounts, newestDeliveries } from './read-deliveries.ts'
import { KEPT_MS } from './retry.ts'
import { writeEvent } from './write-messages.ts'

const { database, clock, webhook, outbox, states } = useOutboxWorld()
const HOUR_MS = 3_600_000
/** How long a worker has a delivery to itself. */
const LEASE_MS = 120_000
const { at } = FUNDS

test('an alarm and its end reach every channel, with a signature where a machine reads them', async () => {
  const [mail, telegram, hook] = [
    await startMailServer(),
    await startReceiver(),
    await startReceiver(),
  ]
  telegram.on.request = (response) => response.writeHead(200).end('{"ok":true}')
  const loop = outbox([
    createEmailChannel({
      url: mail.url,
      from: 'dct@example.org',
      to: 'ops@example.org',
      sender: SITE,
    }),
    createTelegramChannel({ api: telegram.url, token: '1:abc', chatId: '-42', sender: SITE }),
    webhook(`${hook.url}/alarms`),
  ])
  await raiseAlarm(database.db, FUNDS)
  await drain(loop)
  clock.advanceMs(HOUR_MS)
  await clearAlarm(database.db, { ...FUNDS, at: clock.now() })
  await drain(loop)
  clock.advanceMs(SETTLED_MS - 1)
  await drain(loop)
  expect(mail.mails).toHaveLength(1)
  clock.advanceMs(1)
  await drain(loop)

  expect(mail.mails.map(({ from, to }) => [from, to])).toEqual([
    ['dct@example.org', ['ops@example.org']],
    ['dct@example.org', ['ops@example.org']],
  ])
  expect(mail.mails[0]?.text).toContain('Subject: DCT Earning: Alarm: funds.low: TRX_LOW')
  expect(mail.mails[0]?.text).toContain('TRX is short.')
  expect(mail.mails[0]?.text).toContain('What to do: docs/runbooks/empty-wallet.md')
  expect(mail.mails[1]?.text).toContain('Subject: DCT Earning: Resolved: funds.low: TRX_LOW')
  expect(telegram.received.map(({ path }) => path)).toEqual(Array(2).fill('/bot1:abc/sendMessage'))
  expect(JSON.parse(telegram.received[0]?.body ?? '')).toMatchObject({
    chat_id: '-42',
    text: expect.stringContaining('TRX is short.'),
  })
  const [raised, resolved] = hook.received as [Received, Received]
  expect(raised.path).toBe('/alarms')
  const facts = { severity: 'warning', kind: 'funds.low', subject: 'TRX_LOW' }
  expect(verified(raised)).toMatchObject({ type: 'alarm.raised', data: facts })
  expect(verified(raised, FORMER_SECRET)).toMatchObject({ timestamp: '2026-01-10T05:00:00.000Z' })
  expect(verified(resolved)).toMatchObject({ type: 'alarm.resolved', data: facts })
  expect(raised.headers['webhook-timestamp']).toBe(`${at.getTime() / 1_000}`)
  const id = raised.headers['webhook-id']
  expect(mail.mails[0]?.text).toContain(`Message-ID: <${id}@earn.example.org>`)
  expect(telegram.received[0]?.body).toContain(`Message ${id}`)
  expect(resolved.headers['webhook-id']).not.toBe(id)
})

test('a flapping alarm is sent once, and its end once it has lasted', async () => {
  const hook = await startReceiver()
  const loop = outbox([webhook(hook.url)])
  for (let minute = 0; minute < 20; minute += 1) {
    await raiseAlarm(database.db, { ...FUNDS, at: clock.now() })
    await drain(loop)
    clock.advanceMs(30_000)
    await clearAlarm(database.db, { ...FUNDS, at: clock.now() })
    await drain(loop)
    clock.advanceMs(30_000)
  }
  clock.advanceMs(SETTLED_MS)
  await drain(loop)
  await raiseAlarm(database.db, { ...FUNDS, at: clock.now() })
  await drain(loop)
  expect(hook.received.map((one) => verified(one))).toMatchObject([
    { type: 'alarm.raised' },
    { type: 'alarm.resolved', data: { times: 20 } },
    { type: 'alarm.raised' },
  ])
})

test('an alarm of a rolled-back transaction is never sent, and an open one is sent once', async () => {
  const hook = await startReceiver()
  const loop = outbox([webhook(hook.url)])
  const undone = inTransaction(database.db, async (tx) => {
    await raiseAlarm(tx, FUNDS)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await drain(loop)
  expect(hook.received).toEqual([])
  await raiseAlarm(database.db, FUNDS)
  await raiseAlarm(database.db, FUNDS)
  await clearAlarm(database.db, { ...FUNDS, subject: 'BNB_LOW' })
  await drain(loop)
  expect(hook.received).toHaveLength(1)
})

test('a receiver that is down for a while gets everything once it is back', async () => {
  const hook = await startReceiver()
  const loop = outbox([webhook(hook.url)])
  await hook.stop()
  for (const subject of ['a', 'b', 'c']) await raiseAlarm(database.db, { ...FUNDS, subject })
  for (let round = 0; round < 2; round += 1) {
    await drain(loop)
    clock.advanceMs(HOUR_MS / 2)
  }
  expect(await states()).toEqual(['pending 0', 'pending 0', 'pending 2'])
  await hook.start()
  clock.advanceMs(HOUR_MS)
  await drain(loop)
  expect(hook.received.map((one) => verified(one).data.subject).sort()).toEqual(['a', 'b', 'c'])
  expect(await states()).toEqual(['sent 1', 'sent 1', 'sent 3'])
})

test('a receiver that never answers delays no other receiver', async () => {
  const [silent, whole] = [await startReceiver(), await startReceiver()]
  silent.on.request = () => undefined
  const loop = outbox([webhook(`${silent.url}/a`), webhook(`${whole.url}/b`)])
  for (const subject of ['a', 'b', 'c']) await raiseAlarm(database.db, { ...FUNDS, subject })
  while (whole.received.length < 3) await loop.step()
  // The silent one still has the first message.
  expect(silent.received).toHaveLength(1)
  expect(await states()).toContain('pending 1')
  await silent.stop()
  await loop.settled?.()
})

test('a receiver that accepts a message has it, even if its answer never ends', async () => {
  const [hook, telegram] = [await startReceiver(), await startReceiver()]
  for (const { on } of [hook, telegram])
    on.request = (response) => response.writeHead(200).write('{"ok":')
  const bot = { api: telegram.url, token: '1:abc', chatId: '-42', sender: SITE }
  await raiseAlarm(database.db, FUNDS)
  await drain(outbox([webhook(hook.url), createTelegramChannel(bot)]))
  expect(await states()).toEqual(['sent 1', 'sent 1'])
})

test('a delivery that a wrong clock has put off for months is due', async () => {
  const hook = await startReceiver()
  const loop = outbox([webhook(hook.url)])
  await hook.stop()
  await raiseAlarm(database.db, { ...FUNDS, kind: 'plan_adopted' })
  const right = clock.now()
  clock.advanceMs(365 * 24 * HOUR_MS)
  await drain(loop)
  clock.set(right)
  await hook.start()
  await drain(loop)
  expect(await states()).toEqual(['sent 2'])
})

test('a worker that dies between sending and recording leads to a second message with the same id', async () => {
  const hook = await startReceiver()
  const channel = webhook(hook.url)
  const dying: Channel = {
    ...channel,
    async send(message) {
      await channel.send(message)
      await new Promise(() => undefined)
    },
  }
  await raiseAlarm(database.db, FUNDS)
  const dead = outbox([dying]).step()
  // It gives up when the database of this file is long gone.
  dead.catch(() => undefined)
  await expect.poll(() => hook.received.length).toBe(1)
  const other = outbox([channel])
  await drain(other)
  expect(hook.received).toHaveLength(1)
  clock.advanceMs(LEASE_MS)
  await drain(other)
  expect(hook.received).toHaveLength(2)
  expect(hook.received[1]?.headers['webhook-id']).toBe(hook.received[0]?.headers['webhook-id'])
  expect(await states()).toEqual(['sent 2'])
})

test('a worker that was away for too long does not overwrite what another has recorded since', async () => {
  const hook = await startReceiver()
  const channel = webhook(hook.url)
  let fail: (reason: Error) => void = () => undefined
  const away: Channel = {
    ...channel,
    send: () =>
      new Promise((_resolve, reject) => {
        fail = reject
      }),
  }
  await raiseAlarm(database.db, FUNDS)
  const step = outbox([away]).step()
  await expect.poll(states).toEqual(['pending 1'])
  clock.advanceMs(LEASE_MS)
  await drain(outbox([channel]))
  fail(new Error('too late'))
  await step
  expect(await states()).toEqual(['sent 2'])
})

test('several workers never send the same message concurrently', async () => {
  const hook = await startReceiver()
  for (let one = 0; one < 20; one += 1) {
    await raiseAlarm(database.db, { ...FUNDS, subject: `${one}` })
  }
  await Promise.all([1, 2, 3, 4].map(() => drain(outbox([webhook(hook.url)]))))
  await drain(outbox([webhook(hook.url)]))
  const ids = hook.received.map(({ headers }) => headers['webhook-id'])
  expect(ids).toHaveLength(20)
  expect(new Set(ids).size).toBe(20)
})

test('no transaction is open while a message is being sent', async () => {
  const hook = await startReceiver()
  const open: unknown[] = []
  hook.on.request = async (response) => {
    const { rows } = await sql`
      select state from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`.execute(
      database.db,
    )
    open.push(...rows)
    response.writeHead(200).end()
  }
  await raiseAlarm(database.db, FUNDS)
  await drain(outbox([webhook(hook.url)]))
  expect([hook.received.length, open]).toEqual([1, []])
})

test('a delivery that never succeeds raises an alarm, and is finally given up and shown', async () => {
  const [broken, whole] = [await startReceiver(), await startReceiver()]
  broken.on.request = (response) => response.writeHead(500).end('x'.repeat(100_000))
  const channel = webhook(broken.url, { isForAlarms: false, isForEvents: true })
  const loop = outbox([channel, webhook(whole.url)])
  const event = {
    type: 'payout.sent',
    at,
    data: {
      payout_id: '1',
      chain: 'BSC',
      to: '0x',
      tx_hash: '0x',
      amount: { asset: 'USDT', units: 12_500_000_000_000_000_000n },
    },
  } as const
  await inTransaction(database.db, (tx) => writeEvent(tx, { ...event, key: 'a' }))
  await inTransaction(database.db, (tx) => writeEvent(tx, { ...event, key: 'a' }))
  const failing = async () =>
    (await openAlarms(database.db)).map(({ kind, message }) => `${kind}: ${message}`)
  const attempts = 1 + KEPT_MS / (7 * HOUR_MS)
  for (let attempt = 1; attempt <= attempts + 1; attempt += 1) {
    await drain(loop)
    expect(await failing()).toHaveLength(attempt < 3 ? 0 : 1)
    clock.advanceMs(7 * HOUR_MS)
  }
  await drain(loop)
  expect(broken.received).toHaveLength(attempts + 1)
  expect(verified(broken.received[0]).data.amount).toEqual({
    asset: 'USDT',
    amount: '12.500000',
  })
  expect(await failing()).toEqual([
    `messages.failing: Messages do not reach ${channel.receiver}: The receiver answered 500.`,
  ])
  const told = new Set(whole.received.map((one) => verified(one).data.kind))
  expect([...told]).toEqual(['messages.failing'])
  const { failed } = (await channelCounts(database.db, clock.now()))[2] ?? {}
  expect(failed).toBe(1)
  const given = (await newestDeliveries(database.db)).find(({ state }) => state === 'failed')
  expect(given).toMatchObject({ state: 'failed', last_error: 'The receiver answered 500.' })

  broken.on.request = (response) => response.writeHead(200).end()
  await inTransaction(database.db, (tx) => writeEvent(tx, event))
  await drain(loop)
  expect(await failing()).toEqual([])
})

test('a receiver may ask for a later attempt, or for no more messages', async () => {
  const hook = await startReceiver()
  const loop = outbox([webhook(hook.url)])
  hook.on.request = (response) => response.writeHead(429, { 'retry-after': '600' }).end()
  await raiseAlarm(database.db, FUNDS)
  await drain(loop)
  clock.advanceMs(599_000)
  await drain(loop)
  expect(hook.received).toHaveLength(1)
  hook.on.request = (response) => response.writeHead(410).end()
  clock.advanceMs(1_000)
  await drain(loop)
  expect(await states()).toEqual(expect.arrayContaining(['failed 2']))
})

test('Telegram’s reasons and waiting times are used', async () => {
  const telegram = await startReceiver()
  telegram.on.request = (response) =>
    response
      .writeHead(429)
      .end('{"ok":false,"description":"Too Many Requests","parameters":{"retry_after":700}}')
  const loop = outbox([
    createTelegramChannel({ api: telegram.url, token: '1:abc', chatId: '-42', sender: SITE }),
  ])
  await raiseAlarm(database.db, FUNDS)
  await drain(loop)
  const [delivery] = await newestDeliveries(database.db)
  expect(delivery?.last_error).toBe('Telegram answered 429: Too Many Requests')
  expect(delivery?.due_at).toEqual(new Date(clock.now().getTime() + 700_000))
})

test('e-mail refused for one receiver reaches the others', async () => {
  const mail = await startMailServer()
  const email = (to: string) =>
    createEmailChannel({ url: mail.url, from: 'dct@example.org', to, sender: SITE })
  await raiseAlarm(database.db, FUNDS)
  await drain(outbox([email('nobody@example.org'), email('ops@example.org')]))
  expect(mail.mails.map(({ to }) => to)).toEqual([['ops@example.org']])
  expect((await states()).sort()).toEqual(['pending 1', 'sent 1'])
})
