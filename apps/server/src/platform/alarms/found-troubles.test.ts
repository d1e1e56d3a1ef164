import { expect, test } from 'vitest'
import { useTestDatabase } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { openAlarmCounts, raiseAlarm } from './alarms.ts'
import { reportTroubles, type Trouble } from './found-troubles.ts'

const database = useTestDatabase()

test('an alarm whose cause is gone ends, however many older alarms are open', async () => {
  const { db } = database
  const realClock = new ManualClock('2026-01-10T05:00:00Z')
  const old = 101
  for (let number = 0; number < old; number += 1) {
    const subject = `order ${number}`
    await raiseAlarm(db, { kind: 'payout.late', subject, message: 'Late.', at: realClock.now() })
  }
  const report = async (found: readonly Trouble[]) => {
    await reportTroubles({ db, realClock }, { kinds: ['node_down'], found })
    return openAlarmCounts(db)
  }
  const late = { kind: 'payout.late', count: BigInt(old) }
  const trouble = { kind: 'node_down', subject: 'TRON a.example.org', message: 'Down.' } as const
  expect(await report([trouble])).toEqual(
    expect.arrayContaining([late, { kind: 'node_down', count: 1n }]),
  )
  realClock.advanceMs(60_000)
  expect(await report([])).toEqual([late])
})
