import type { Dct } from '@dct/money'
import { cyclesOf } from '@dct/rules/cycles'
import { rewardThrough } from '@dct/rules/rewards'
import { sql } from 'kysely'
import { addDays, type BusinessDay } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { account, postTransfers } from '../../ledger/index.ts'
import { own } from '../earnings.tables.ts'
import { recountOwnExemptions } from './exemptions.queries.ts'
import { isLate } from './run-distribution.ts'

export type MissedCycles = {
  earningId: bigint
  stakeId: bigint
  planId: bigint
  planCode: string
  startDay: BusinessDay
  reward: Dct
  cycles: number
  /** Cycles 1 to `missed` were run for the plan before the stake was booked. */
  missed: number
  now: Date
}

/**
 * Books the cycles that a stake missed because it was booked late: they count for their days, all as credited, and those
 * due more than a day ago do not count towards freezing. The caller holds the plan's shared distribution lock.
 */
export async function bookMissedCycles(tx: Tx, stake: MissedCycles): Promise<void> {
  const missed = cyclesOf({ ...stake, lapsed: [] }, { after: 0, through: stake.missed })
  await sql`
    insert into distribution_day as d (plan_id, day, ran_at, row_count, credited, lapsed)
    select ${stake.planId}, m.day, ${stake.now}, 1, m.amount, 0
      from unnest(${missed.map(({ day }) => day)}::date[], ${missed.map(({ amount }) => `${amount}`)}::numeric[])
        as m (day, amount)
      on conflict (plan_id, day) do update set
        row_count = d.row_count + 1, credited = d.credited + excluded.credited`.execute(tx)
  await exemptLateCycles(tx, stake)
  await postTransfers(tx, [
    {
      debit: account.promised(stake.planCode),
      credit: account.credited(stake.planCode),
      asset: 'DCT',
      amount: rewardThrough({ ...stake, cycle: stake.missed }),
      kind: 'reward_credited_late',
      ref: `${stake.stakeId}`,
      at: stake.now,
    },
  ])
}

async function exemptLateCycles(tx: Tx, stake: MissedCycles): Promise<void> {
  const days = Array.from({ length: stake.missed }, (_, at) => addDays(stake.startDay, at + 1))
  const late = days.filter((day) => isLate(day, stake.now))
  if (late.length === 0) return
  await own(tx)
    .insertInto('earning_exemption')
    .values(
      late.map((day) => ({ earning_id: stake.earningId, day, reason: 'late_booking' as const })),
    )
    .execute()
  await recountOwnExemptions(tx, [stake.earningId])
}
