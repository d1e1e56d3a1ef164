import { expect, test } from 'vitest'
import { drain, FUNDS, SITE, useOutboxWorld, verified } from '../../testing/outbox-world.ts'
import { startMailServer, startReceiver } from '../../testing/receivers.ts'
import { clearAlarm, raiseAlarm } from '../alarms/alarms.ts'
import { inTransaction } from '../database/db.ts'
import { createEmailChannel } from './channels/email.ts'
import { SETTLED_MS } from './dispatch-messages.ts'
import { lastTest, newestDeliveries } from './read-deliveries.ts'
import { tellTest } from './tell.ts'

const { database, clock, webhook, outbox, states } = useOutboxWorld()
const HOUR_MS = 3_600_000
const KEPT_DAYS = 30
const { at } = FUNDS

test('quiet hours hold back messages that can wait, but only from people; an open alarm is repeated until it ends', async () => {
  const [mail, hook] = [await startMailServer(), await startReceiver()]
  const people = createEmailChannel({
    ...{ url: mail.url, from: 'dct@example.org', to: 'ops@example.org', sender: SITE },
  })
  const loop = outbox([people, webhook(hook.url)], { quietHours: { from: 22 * 60, to: 7 * 60 } })
  clock.set('2026-01-10T16:00:00Z')
  await raiseAlarm(database.db, { ...FUNDS, at: clock.now() })
  await drain(loop)
  expect([mail.mails.length, hook.received.length]).toEqual([0, 1])
  await raiseAlarm(database.db, { ...FUNDS, kind: 'chain_halt', at: clock.now() })
  await drain(loop)
  expect(mail.mails.map(({ text }) => /Subject: (.*)/.exec(text)?.[1])).toEqual([
    'DCT Earning: Alarm (critical): chain_halt: TRX_LOW',
  ])
  // Seven hours later it is still quiet: only the critical one is repeated.
  clock.set('2026-01-10T23:00:00Z')
  await drain(loop)
  expect([mail.mails.length, hook.received.length]).toEqual([2, 3])
  clock.set('2026-01-11T00:00:00Z')
  await drain(loop)
  expect([mail.mails.length, hook.received.length]).toEqual([3, 3])
  expect(mail.mails[2]?.text).toContain('Alarm: funds.low')
  clock.set('2026-01-11T06:00:00Z')
  await drain(loop)
  expect(mail.mails[4]?.text).toContain('Still open')
  await clearAlarm(database.db, { ...FUNDS, at: clock.now() })
  await clearAlarm(database.db, { ...FUNDS, kind: 'chain_halt', at: clock.now() })
  await drain(loop)
  clock.advanceMs(SETTLED_MS)
  await drain(loop)
  const sent = mail.mails.length
  clock.advanceMs(24 * HOUR_MS)
  await drain(loop)
  expect(mail.mails).toHaveLength(sent)
})

test('only one of several workers repeats an alarm', async () => {
  const hook = await startReceiver()
  await raiseAlarm(database.db, FUNDS)
  await drain(outbox([webhook(hook.url)]))
  clock.advanceMs(6 * HOUR_MS)
  await Promise.all([1, 2, 3, 4].map(() => drain(outbox([webhook(hook.url)]))))
  expect(hook.received.map((one) => verified(one).type)).toEqual(['alarm.raised', 'alarm.reminded'])
})

test('a test message is sent once to every channel, at any hour, and its outcome is shown', async () => {
  const [alarms, events] = [await startReceiver(), await startReceiver()]
  events.on.request = (response) => response.writeHead(404).end()
  const channels = [
    webhook(alarms.url),
    webhook(events.url, { isForAlarms: false, isForEvents: true }),
  ]
  await inTransaction(database.db, (tx) => tellTest(tx, at))
  expect(await lastTest(database.db)).toMatchObject({ isDispatched: false, deliveries: [] })
  await drain(outbox(channels))
  expect(await lastTest(database.db)).toMatchObject({
    isDispatched: true,
    deliveries: [
      { state: 'sent', receiver: channels[0]?.receiver },
      { state: 'failed', last_error: 'The receiver answered 404.' },
    ],
  })
  expect(verified(alarms.received[0]).type).toBe('test')
  await inTransaction(database.db, (tx) => tellTest(tx, at))
  await drain(outbox([]))
  expect(await lastTest(database.db)).toMatchObject({ isDispatched: true, deliveries: [] })
})

test('messages that nobody wants are not kept, and sent ones are removed after a month', async () => {
  const hook = await startReceiver()
  const count = async () =>
    (await database.db.selectFrom('outbox_message').select('id').execute()).length
  await raiseAlarm(database.db, FUNDS)
  await drain(outbox([]))
  expect(await count()).toBe(0)
  await clearAlarm(database.db, FUNDS)
  await drain(outbox([webhook(hook.url)]))
  expect(await count()).toBe(1)
  clock.advanceMs(KEPT_DAYS * 24 * HOUR_MS)
  await drain(outbox([webhook(hook.url)]))
  expect(await count()).toBe(1)
  clock.advanceMs(1)
  await drain(outbox([webhook(hook.url)]))
  expect([await count(), await states()]).toEqual([0, []])
})

test('deliveries to a channel that was removed from the settings fail after two days', async () => {
  const hook = await startReceiver()
  await hook.stop()
  await raiseAlarm(database.db, FUNDS)
  await drain(outbox([webhook(hook.url)], { repeatMs: 0 }))
  clock.advanceMs(50 * HOUR_MS)
  await drain(outbox([], { repeatMs: 0 }))
  expect(await newestDeliveries(database.db)).toMatchObject([
    { state: 'failed', last_error: 'No worker has this channel in its settings.' },
  ])
})
