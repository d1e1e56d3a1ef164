import { beforeEach, expect, test } from 'vitest'
import { useTestDatabase, wipe } from '../testing/database.ts'
import { ManualClock } from '../testing/manual-clock.ts'
import { openAlarms } from './alarms/alarms.ts'
import { DAY_MS, realClock } from './clock.ts'
import { createTimeGuard } from './time-guard.ts'

const database = useTestDatabase()
beforeEach(() => wipe(database.db))

/** A guard whose clocks the test moves: the machine's, and by the stored offset the database's. */
function givenGuard() {
  let elapsedMs = 0
  const machine = new ManualClock(realClock.now())
  const block = new ManualClock(realClock.now())
  const guard = createTimeGuard({
    ...{ db: database.db, clock: machine, realClock, host: 'worker-1' },
    monotonic: () => elapsedMs,
    readBlockTime: async () => block.now(),
  })
  return {
    ...{ guard, machine, block },
    pass(ms: number) {
      elapsedMs += ms
      machine.advanceMs(ms)
    },
    moveDatabase: (ms: number) =>
      database.db
        .updateTable('business_clock')
        .set({ offset_ms: BigInt(ms) })
        .execute(),
  }
}

const alarms = async () =>
  (await openAlarms(database.db)).map(({ kind, subject }) => `${kind} ${subject}`)

test('until the clocks have been compared, and once they differ, nothing may be written', async () => {
  const { guard, machine } = givenGuard()
  expect(guard.isTrusted()).toBe(false)
  await guard.compare()
  expect(guard.isTrusted()).toBe(true)
  for (const years of [1, -1]) {
    machine.advanceMs(years * 365 * DAY_MS)
    // Before anything is compared again.
    expect(guard.isTrusted()).toBe(false)
    await guard.compare()
    expect(guard.isTrusted()).toBe(false)
    machine.advanceMs(-years * 365 * DAY_MS)
    await guard.compare()
    expect(guard.isTrusted()).toBe(true)
  }
})

test('an alarm names the machine while its clock is wrong, and ends by itself', async () => {
  const { guard, machine } = givenGuard()
  machine.advanceMs(DAY_MS)
  await guard.loop?.step()
  expect(await alarms()).toEqual(['clock_skew worker-1'])
  machine.advanceMs(-DAY_MS)
  const confirmed = new Date(realClock.now().getTime() - 2 * 60_000)
  await database.db
    .updateTable('alarm')
    .set({ raised_at: confirmed, confirmed_at: confirmed })
    .execute()
  await guard.loop?.step()
  expect(await alarms()).toEqual([])
})

test('where the machine’s and the database’s clock are wrong together, the newest final block decides', async () => {
  const { guard, machine, moveDatabase } = givenGuard()
  machine.advanceMs(365 * DAY_MS)
  await moveDatabase(365 * DAY_MS)
  await guard.compare()
  expect(guard.isTrusted()).toBe(false)
  machine.advanceMs(-365 * DAY_MS)
  await moveDatabase(0)
  await guard.compare()
  expect(guard.isTrusted()).toBe(true)
  machine.advanceMs(365 * DAY_MS)
  await moveDatabase(365 * DAY_MS)
  await guard.compare()
  expect(guard.isTrusted()).toBe(false)
})

test('a chain that stands still is no reason for doubt while time goes on evenly', async () => {
  const { guard, pass, moveDatabase } = givenGuard()
  await guard.compare()
  for (let step = 1; step <= 3; step += 1) {
    pass(DAY_MS)
    await moveDatabase(step * DAY_MS)
    await guard.compare()
    expect(guard.isTrusted()).toBe(true)
  }
})
