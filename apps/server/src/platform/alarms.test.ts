import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase, wipe } from '../testing/database.ts'
import { clearAlarm, openAlarms, raiseAlarm } from './alarms.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => wipe(database.db))

const at = new Date('2026-01-10T05:00:00Z')
const FUNDS = { kind: 'funds.low', subject: 'TRON', message: 'The wallet is empty.', at } as const
const open = async () => (await openAlarms(database.db)).map(({ subject }) => subject)

test('[T075] an alarm is raised once, even by concurrent detections, and again after it was cleared', async () => {
  const raised = await Promise.all([1, 2, 3, 4].map(() => raiseAlarm(database.db, FUNDS)))
  expect(raised.filter(Boolean)).toHaveLength(1)
  expect(await open()).toEqual(['TRON'])
  await clearAlarm(database.db, FUNDS)
  expect(await open()).toEqual([])
  expect(await raiseAlarm(database.db, FUNDS)).toBe(true)
})

test('clearing one alarm does not affect those of other subjects and kinds', async () => {
  await raiseAlarm(database.db, FUNDS)
  await raiseAlarm(database.db, { ...FUNDS, subject: 'BSC' })
  await raiseAlarm(database.db, { ...FUNDS, kind: 'chain_halt' })
  await clearAlarm(database.db, FUNDS)
  await clearAlarm(database.db, { ...FUNDS, subject: 'nobody' })
  expect(await openAlarms(database.db)).toMatchObject([
    { kind: 'funds.low', subject: 'BSC' },
    { kind: 'chain_halt', subject: 'TRON' },
  ])
})
