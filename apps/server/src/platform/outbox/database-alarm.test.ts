import { expect, onTestFinished, test, vi } from 'vitest'
import { everything } from '../../testing/all-tables.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { NOON } from '../../testing/outbox-world.ts'
import { createLogger } from '../logger.ts'
import type { Channel } from './channels/channel.ts'
import { withDatabaseAlarm } from './database-alarm.ts'
import type { Message } from './message.ts'

const database = useTestDatabase()
const full = Object.assign(new Error('could not extend file: No space left'), { code: '53100' })

/** A process whose regular writing fails while `failure` is set, with two channels, one of which fails at first. */
async function givenWriter() {
  await wipe(database.db)
  const clock = new ManualClock(NOON)
  const state: { failure?: Error | undefined; hanging?: Promise<void> } = {}
  const sent: (Message & { to: string })[] = []
  let isBusy = true
  const channel = (receiver: string, facts: Partial<Channel> = {}): Channel => ({
    ...{ kind: 'webhook', receiver, isForAlarms: true, isForEvents: false },
    probe: async () => undefined,
    async send(message) {
      if (receiver === 'busy' && isBusy) {
        isBusy = false
        throw new Error('busy')
      }
      sent.push({ ...message, to: receiver })
    },
    ...facts,
  })
  const writing = {
    name: 'reports',
    async step() {
      if (state.failure !== undefined) throw state.failure
      await state.hanging
      return true
    },
  }
  const loop = withDatabaseAlarm(writing, {
    ...{ db: database.db, log: createLogger('silent'), realClock: clock, host: 'worker-1' },
    monotonic: () => clock.now().getTime(),
    channels: [channel('fine'), channel('busy'), channel('events', { isForAlarms: false })],
  })
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second += 5) {
      clock.advanceMs(5_000)
      // The loop's runner would note the failure and try again.
      await loop.step().catch(() => undefined)
    }
  }
  const queued = () =>
    everything(database.db).selectFrom('outbox_message').select(['type', 'data']).execute()
  return { state, sent, loop, clock, pass, queued }
}

test('while the database takes nothing, every channel of alarms learns it once, and its end when it is over', async () => {
  const { state, sent, pass, queued } = await givenWriter()
  state.failure = full
  await pass(20)
  expect(sent).toEqual([])
  await pass(40)
  expect(sent.map(({ to, type, severity }) => [to, type, severity])).toEqual([
    ['fine', 'alarm.raised', 'critical'],
    ['busy', 'alarm.raised', 'critical'],
  ])
  expect(sent[0]?.data).toMatchObject({
    ...{ kind: 'database.down', subject: 'worker-1' },
    message: expect.stringContaining('No space left'),
  })
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
  expect(await queued()).toEqual([])
  state.failure = undefined
  await pass(10)
  expect(await queued()).toMatchObject([
    { type: 'alarm.resolved', data: { kind: 'database.down', subject: 'worker-1' } },
  ])
})

test('neither a short outage nor a failure of another kind is told', async () => {
  const { state, sent, pass, queued } = await givenWriter()
  state.failure = full
  await pass(15)
  state.failure = undefined
  await pass(5)
  state.failure = new Error('a fault of ours')
  await pass(60)
  state.failure = undefined
  await pass(5)
  expect([sent, await queued()]).toEqual([[], []])
})

test('a write that does not end is told while it hangs, and its end afterwards', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { state, sent, loop, clock, queued } = await givenWriter()
  const hanging = Promise.withResolvers<void>()
  state.hanging = hanging.promise
  const step = loop.step()
  for (let seconds = 0; seconds < 60; seconds += 20) {
    clock.advanceMs(20_000)
    await vi.advanceTimersByTimeAsync(20_000)
  }
  expect(sent.map(({ to, type }) => [to, type])).toEqual([
    ['fine', 'alarm.raised'],
    ['busy', 'alarm.raised'],
  ])
  hanging.resolve()
  await step
  expect(await queued()).toMatchObject([{ type: 'alarm.resolved' }])
})
