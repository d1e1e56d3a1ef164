import { expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { replicaLoops } from './replica-loops.ts'

const database = useTestDatabase()

test('an alarm reports that the replica has not been read for over a minute, and ends once it is read again', async () => {
  const realClock = new ManualClock('2026-01-31T10:00:00Z')
  const state = { isUsable: false }
  const replica = { probe: async () => undefined, isUsable: () => state.isUsable }
  const loops = replicaLoops({ db: database.db, realClock, replica })
  const kindsAfter = async (seconds: number) => {
    realClock.advanceMs(seconds * 1_000)
    for (const loop of loops) await loop.step()
    return (await openAlarms(database.db)).map(({ kind }) => kind)
  }
  expect(await kindsAfter(60)).toEqual([])
  expect(await kindsAfter(1)).toEqual(['replica.unused'])
  expect(await kindsAfter(90)).toEqual(['replica.unused'])
  state.isUsable = true
  expect(await kindsAfter(59)).toEqual(['replica.unused'])
  expect(await kindsAfter(1)).toEqual([])
  state.isUsable = false
  expect(await kindsAfter(60)).toEqual([])
})
