import { sql } from 'kysely'
import { addDays, type BusinessDay, firstOfNextMonth } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { account, postTransfers } from '../../ledger/index.ts'
import { own } from '../earnings.tables.ts'
import { ensureMonths } from './distribution.queries.ts'
import { recountOwnExemptions } from './exemptions.queries.ts'
import { isLate } from './run-distribution.ts'

export type MissedCycles = {
  earningId: bigint
  stakeId: bigint
  planId: bigint
  planCode: string
  startDay: BusinessDay
  reward: bigint
  cycles: number
  /** Cycles 1 to `missed` were run for the plan before the stake was booked. */
  missed: number
  now: Date
}

/**
 * Writes the cycles that a stake missed because it was booked late. All are credited; those due more than a day ago do
 * not count towards freezing. The caller holds the plan's shared distribution lock.
 */
export async function writeMissedCycles(tx: Tx, stake: MissedCycles): Promise<void> {
  await ensureAllMonths(tx, stake)
  const written = await sql<{ credited: bigint }>`
    with cycles as (
      select n as cycle, ${stake.startDay}::date + n as day,
        div(${stake.reward}::numeric * n, ${stake.cycles}::integer)
          - div(${stake.reward}::numeric * (n - 1), ${stake.cycles}::integer) as amount
      from generate_series(1, ${stake.missed}::integer) n),
    added as (
      insert into reward_row (earning_id, day, cycle, amount)
        select ${stake.earningId}, day, cycle, amount from cycles returning day, amount),
    counted as (
      insert into distribution_day as d (plan_id, day, ran_at, row_count, credited, lapsed)
        select ${stake.planId}, day, ${stake.now}, 1, amount, 0 from added
        on conflict (plan_id, day) do update set
          row_count = d.row_count + 1, credited = d.credited + excluded.credited)
    select coalesce(sum(amount), 0) as credited from added`.execute(tx)
  await exemptLateCycles(tx, stake)
  await postTransfers(tx, [
    {
      debit: account.promised(stake.planCode),
      credit: account.credited(stake.planCode),
      asset: 'DCT',
      amount: written.rows[0]?.credited ?? 0n,
      kind: 'reward_credited_late',
      ref: `${stake.stakeId}`,
      at: stake.now,
    },
  ])
}

async function ensureAllMonths(tx: Tx, stake: MissedCycles): Promise<void> {
  const last = addDays(stake.startDay, stake.missed)
  let day = addDays(stake.startDay, 1)
  while (day <= last) {
    await ensureMonths(tx, day)
    day = firstOfNextMonth(day)
  }
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
