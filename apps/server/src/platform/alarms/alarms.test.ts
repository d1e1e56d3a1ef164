import { beforeEach, expect, test } from 'vitest'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { clearAlarm, openAlarms, raiseAlarm } from './alarms.ts'

const database = useTestDatabase()
beforeEach(() => wipe(database.db))

const at = new Date('2026-01-10T05:00:00Z')
const FUNDS = { kind: 'funds.low', subject: 'TRON', message: 'The wallet is empty.', at } as const
const open = async () => (await openAlarms(database.db)).map(({ subject }) => subject)

const messages = async () => {
  const query = database.db.selectFrom('outbox_message').select(['type', 'data']).orderBy('number')
  return (await query.execute()).map(({ type, data }) => [type, data.times])
}

test('[T075] an alarm is raised once, even by concurrent detections, and again after its end was announced', async () => {
  const raised = await Promise.all([1, 2, 3, 4].map(() => raiseAlarm(database.db, FUNDS)))
  expect(raised.filter(Boolean)).toHaveLength(1)
  expect(await open()).toEqual(['TRON'])
  await clearAlarm(database.db, FUNDS)
  expect(await open()).toEqual([])
  await database.db.deleteFrom('outbox_message').where('type', '=', 'alarm.resolved').execute()
  expect(await raiseAlarm(database.db, FUNDS)).toBe(true)
})

test('a cause that is back before its end was announced is the same alarm with a count, and no message is sent', async () => {
  await raiseAlarm(database.db, FUNDS)
  for (const _ of [1, 2]) {
    await clearAlarm(database.db, FUNDS)
    const raised = await Promise.all([1, 2].map(() => raiseAlarm(database.db, FUNDS)))
    expect(raised).toEqual([false, false])
  }
  await raiseAlarm(database.db, { ...FUNDS, subject: 'BSC' })
  expect((await openAlarms(database.db)).map(({ subject, times }) => [subject, times])).toEqual([
    ['TRON', 3],
    ['BSC', 1],
  ])
  await clearAlarm(database.db, FUNDS)
  expect(await messages()).toEqual([
    ['alarm.raised', undefined],
    ['alarm.raised', undefined],
    ['alarm.resolved', 3],
  ])
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
