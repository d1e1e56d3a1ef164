import { expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { createReplicaLoop } from './replica-loop.ts'

const database = useTestDatabase()

test('an alarm reports that the replica has not been read for over a minute, and ends once it is read again', async () => {
  const realClock = new ManualClock('2026-01-31T10:00:00Z')
  const { db } = database
  const state = { isFresh: false }
  const reports = () => (state.isFresh ? { db, ageMs: 1 } : undefined)
  const loop = createReplicaLoop({ db, realClock, replica: { probe: async () => {}, reports } })
  const kindsAfter = async (seconds: number) => {
    realClock.advanceMs(seconds * 1_000)
    await loop.step()
    return (await openAlarms(db)).map(({ kind }) => kind)
  }
  expect(await kindsAfter(60)).toEqual([])
  expect(await kindsAfter(1)).toEqual(['replica.unused'])
  expect(await kindsAfter(90)).toEqual(['replica.unused'])
  state.isFresh = true
  expect(await kindsAfter(60)).toEqual([])
  state.isFresh = false
  expect(await kindsAfter(60)).toEqual([])
})
