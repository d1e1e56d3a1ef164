import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { createHistoriesLoop } from './histories-loop.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('an alarm names each worker that has been unreachable for over a minute, and ends once the worker is back', async () => {
  const realClock = new ManualClock('2026-01-31T10:00:00Z')
  let silent = ['worker-1:5432']
  const loop = createHistoriesLoop({ db: database.db, realClock, findSilent: async () => silent })
  const subjectsAfter = async (seconds: number) => {
    realClock.advanceMs(seconds * 1_000)
    await loop.step()
    return (await openAlarms(database.db)).map(({ kind, subject }) => `${kind} ${subject}`)
  }
  expect(await subjectsAfter(0)).toEqual([])
  expect(await subjectsAfter(60)).toEqual([])
  silent = ['worker-1:5432', 'worker-2:5432']
  expect(await subjectsAfter(1)).toEqual(['histories.unreachable worker-1:5432'])
  silent = ['worker-2:5432']
  expect(await subjectsAfter(61)).toEqual(['histories.unreachable worker-2:5432'])
  silent = []
  expect(await subjectsAfter(59)).toEqual(['histories.unreachable worker-2:5432'])
  expect(await subjectsAfter(1)).toEqual([])
  silent = ['worker-2:5432']
  expect(await subjectsAfter(1)).toEqual([])
})
