import { beforeEach, expect, test } from 'vitest'
import { openAlarms, raiseAlarm } from '../../platform/alarms/alarms.ts'
import { unreachableWorkers } from '../../platform/database/cluster.ts'
import type { Db } from '../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { createWorkerAlarms } from './worker-alarms.ts'

const database = useTestDatabase()
beforeEach(() => wipe(database.db))

test('an alarm names each worker that has been out of reach for over a minute, and ends once it is back', async () => {
  const realClock = new ManualClock('2026-01-31T10:00:00Z')
  const { db } = database
  let silent = ['worker-1:5432']
  const loop = createWorkerAlarms({ db, realClock, findSilent: async () => silent })
  const subjectsAfter = async (seconds: number) => {
    realClock.advanceMs(seconds * 1_000)
    await loop.step()
    return (await openAlarms(db)).map(({ kind, subject }) => `${kind} ${subject}`)
  }
  expect(await subjectsAfter(0)).toEqual([])
  expect(await subjectsAfter(60)).toEqual([])
  silent = ['worker-1:5432', 'worker-2:5432']
  expect(await subjectsAfter(1)).toEqual(['database.worker worker-1:5432'])
  silent = ['worker-2:5432']
  expect(await subjectsAfter(61)).toEqual(['database.worker worker-2:5432'])
  silent = []
  expect(await subjectsAfter(61)).toEqual([])
  silent = ['worker-2:5432']
  expect(await subjectsAfter(60)).toEqual([])
})

test('a database that is no cluster is asked once, and an alarm from when it was one ends', async () => {
  const realClock = new ManualClock('2026-01-31T10:00:00Z')
  const { db } = database
  const message = 'out of reach'
  const at = realClock.now()
  await raiseAlarm(db, { kind: 'database.worker', subject: 'worker-1:5432', message, at })
  realClock.advanceMs(61_000)
  let questions = 0
  const findSilent = async (one: Db) => {
    questions += 1
    return unreachableWorkers(one)
  }
  const loop = createWorkerAlarms({ db, realClock, findSilent })
  for (let steps = 0; steps < 3; steps += 1) expect(await loop.step()).toBe(true)
  expect(questions).toBe(1)
  expect(await openAlarms(db)).toEqual([])
})
