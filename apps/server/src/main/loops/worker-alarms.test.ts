import { expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { createWorkerAlarms } from './worker-alarms.ts'

const database = useTestDatabase()

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
