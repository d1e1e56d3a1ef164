import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openAlarms } from '../platform/alarms/alarms.ts'
import { DAY_MS, realClock } from '../platform/clock.ts'
import { isOutage } from '../platform/database/db.ts'
import { createLogger } from '../platform/logger.ts'
import { createLoopRunner } from '../platform/loops/loop.ts'
import { createTimeGuard } from '../platform/time-guard.ts'
import { everything } from '../testing/all-tables.ts'
import { createTestDatabase } from '../testing/database.ts'
import { startRealApp } from '../testing/real-app.ts'
import { call, devnet } from '../testing/real-claims.ts'
import { startSilentLink } from '../testing/silent-link.ts'

/** How far the service's clock is ahead of that of the chains, which run in this process, too. */
const ahead = { ms: 0 }
const host = useChainHost(() => realClock.now().getTime() - ahead.ms)

// Time goes on as usual, and can be made to pass faster.
beforeEach(() => vi.useFakeTimers({ toFake: ['Date', 'performance'], shouldAdvanceTime: true }))
afterEach(() => vi.useRealTimers())

/** The whole service behind a link to its database that the test makes silent. */
async function givenWorld() {
  const database = await createTestDatabase()
  const link = await startSilentLink(database.url)
  const real = await startRealApp(host(), { DATABASE_URL: link.url }, database)
  onTestFinished(() => real.stop())
  const subjects = async () =>
    (await openAlarms(database.db)).map(({ kind, subject }) => `${kind} ${subject}`)
  return { real, database, link, subjects }
}
test('while the link to the database is silent calls answer 503, and afterwards everything goes on', async () => {
  const world = await givenWorld()
  const holder = await world.real.givenUser()
  const ready = async () => (await world.real.app.inject('/api/ready')).statusCode
  world.link.silence()
  const statuses = await Promise.all([ready(), call(world.real, holder, { url: '/user/messages' })])
  expect([statuses[0], statuses[1].status]).toEqual([503, 503])
  const distributor = world.real.loops.find(({ name }) => name === 'distributor')
  expect(await distributor?.step().then(() => 'done', isOutage)).toBe(true)
  world.link.restore()
  await expect.poll(ready, { timeout: 20_000 }).toBe(200)
  await devnet(world.real, 'settle')
}, 240_000)

test('while the clock is a year ahead nothing runs; afterwards every loop and job goes on, and the alarm ends', async () => {
  const world = await givenWorld()
  const { real, database } = world
  await devnet(real, 'settle')
  const guard = createTimeGuard({
    ...{ db: database.db, clock: real.context.clock, realClock, host: 'worker-1' },
    monotonic: () => performance.now(),
    readBlockTime: async () => real.context.clock.now(),
  })
  await guard.compare()
  expect(guard.isTrusted()).toBe(true)
  const loops = guard.loop === undefined ? real.loops : [...real.loops, guard.loop]
  const right = realClock.now().getTime()
  ahead.ms = 365 * DAY_MS
  vi.setSystemTime(right + ahead.ms)
  const runner = createLoopRunner(
    loops,
    createLogger('silent'),
    { shortest: 50, longest: 50 },
    guard.isTrusted,
  )
  runner.start()
  onTestFinished(() => runner.stop())
  await expect.poll(world.subjects, { timeout: 20_000 }).toContain('clock_skew worker-1')
  const held = loops.filter(({ runsAtAnyTime }) => runsAtAnyTime !== true).map(({ name }) => name)
  const succeeded = () =>
    runner.status().filter(({ name, steps }) => held.includes(name) && steps.succeeded > 0)
  expect(held.length).toBeGreaterThan(15)
  expect(succeeded()).toEqual([])
  ahead.ms = 0
  vi.setSystemTime(right + 5_000)
  await expect.poll(() => succeeded().length, { timeout: 60_000 }).toBe(held.length)
  const raised = new Date(realClock.now().getTime() - 120_000)
  await everything(database.db)
    .updateTable('alarm')
    .set({ raised_at: raised, confirmed_at: raised })
    .execute()
  await expect.poll(world.subjects, { timeout: 30_000 }).not.toContain('clock_skew worker-1')
}, 240_000)
