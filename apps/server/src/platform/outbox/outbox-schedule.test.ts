import { expect, test } from 'vitest'
import { drain, FUNDS, useOutboxWorld, verified } from '../../testing/outbox-world.ts'
import { startReceiver } from '../../testing/receivers.ts'
import { clearAlarm, raiseAlarm } from '../alarms/alarms.ts'
import { inTransaction } from '../database/db.ts'
import { SETTLED_MS } from './dispatch-messages.ts'
import { lastTest, newestDeliveries } from './read-deliveries.ts'
import { writeTest } from './write-messages.ts'

const { database, clock, webhook, outbox, states } = useOutboxWorld()
const HOUR_MS = 3_600_000
const KEPT_DAYS = 30
const { at } = FUNDS

test('an open alarm is told again every six hours until it ends', async () => {
  const hook = await startReceiver()
  const loop = outbox([webhook(hook.url)])
  const told = async () => {
    await drain(loop)
    return hook.received.map((one) => verified(one).type.replace('alarm.', '')).join(' ')
  }
  await raiseAlarm(database.db, FUNDS)
  expect(await told()).toBe('raised')
  clock.advanceMs(6 * HOUR_MS - 60_000)
  expect(await told()).toBe('raised')
  clock.advanceMs(60_000)
  expect(await told()).toBe('raised reminded')
  clock.advanceMs(6 * HOUR_MS)
  expect(await told()).toBe('raised reminded reminded')
  await clearAlarm(database.db, { ...FUNDS, at: clock.now() })
  await drain(loop)
  clock.advanceMs(SETTLED_MS)
  expect(await told()).toBe('raised reminded reminded resolved')
  clock.advanceMs(24 * HOUR_MS)
  expect(await told()).toBe('raised reminded reminded resolved')
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
  await inTransaction(database.db, (tx) => writeTest(tx, at))
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
  await inTransaction(database.db, (tx) => writeTest(tx, at))
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
  await drain(outbox([webhook(hook.url)]))
  clock.advanceMs(50 * HOUR_MS)
  await drain(outbox([]))
  expect(await newestDeliveries(database.db)).toMatchObject([
    { state: 'failed', last_error: 'No worker has this channel in its settings.' },
  ])
})
