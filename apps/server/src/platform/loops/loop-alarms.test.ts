import { NodeUnavailable } from '@dct/chain-clients'
import { beforeEach, expect, test } from 'vitest'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { openAlarms } from '../alarms/alarms.ts'
import type { LoopState } from './loop.ts'
import { createLoopAlarms } from './loop-alarms.ts'

const database = useTestDatabase()
beforeEach(() => wipe(database.db))

const FINE = {
  ...{ name: 'watcher', isIdle: true, failures: 0, lastError: null, error: undefined },
  ...{
    busyMs: null,
    failingMs: null,
    mayTakeMs: 60_000,
    succeededAt: null,
    steps: { succeeded: 1, failed: 0 },
  },
} as unknown as LoopState

/** The alarms after a look at loops in these states, one after the other. */
async function alarmsAfter(...states: Partial<LoopState>[]) {
  const clock = new ManualClock('2026-01-15T08:00:00Z')
  let state = FINE
  const { db } = database
  const loop = createLoopAlarms({ db, realClock: clock, status: () => [state], host: 'worker-1' })
  for (const change of states) {
    state = { ...FINE, ...change }
    await loop.step()
    clock.advanceMs(120_000)
  }
  return (await openAlarms(db)).map(({ kind, subject }) => `${kind} ${subject}`)
}

const STUCK = 'loop.stuck worker-1: watcher'
const failing = (error: unknown) => ({
  failures: 2,
  failingMs: 30_000,
  lastError: 'it failed',
  error,
})

test('a loop that is stuck in one step, or keeps failing, has an alarm', async () => {
  expect(await alarmsAfter({ busyMs: 60_001 })).toEqual([STUCK])
  await wipe(database.db)
  expect(await alarmsAfter(failing(new Error('it failed')))).toEqual([STUCK])
})

test('a loop that works, has failed only now and then, or waits for a node has none', async () => {
  expect(await alarmsAfter({ busyMs: 59_999 })).toEqual([])
  expect(await alarmsAfter({ failures: 6, failingMs: 29_999, lastError: 'it failed' })).toEqual([])
  expect(await alarmsAfter(failing(new NodeUnavailable('silent')))).toEqual([])
})

test('the alarm ends once the loop goes on', async () => {
  expect(await alarmsAfter({ busyMs: 60_001 }, {}, {})).toEqual([])
})
