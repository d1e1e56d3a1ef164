import { sql } from 'kysely'
import type { BusinessDay } from '../../../platform/clock.ts'
import type { ReadDb } from '../../../platform/database/db.ts'
import { joinCycles } from './join-cycles.ts'
import { type RewardRecordRow, rewardRecords } from './reward-rows.queries.ts'

export type CycleRow = Pick<RewardRecordRow, 'day' | 'cycle' | 'amount' | 'lapsed' | 'isCounted'>
export type EarningCycles = {
  earningId: bigint
  startDay: BusinessDay
  cycles: number
  reward: bigint
  freezeLimit: number
  rows: CycleRow[]
}

/** An earning and all of its cycles that were run, in order; undefined if the staker has no earning in that plan. */
export async function readCycles(
  db: ReadDb,
  key: { staker: Buffer; planCode: string },
): Promise<EarningCycles | undefined> {
  const found = await sql<Omit<EarningCycles, 'rows'>>`
    select e.id as "earningId", e.start_day as "startDay", e.cycles, e.reward,
      e.freeze_limit as "freezeLimit"
    from earning e where e.staker = ${key.staker} and e.plan_code = ${key.planCode}`.execute(db)
  const [earning] = found.rows
  if (earning === undefined) return undefined
  const { rows } = await rewardRecords(sql`
    from earning e ${joinCycles({})}
    where e.id = ${earning.earningId} order by r.day offset 0`).execute(db)
  return { ...earning, rows }
}
