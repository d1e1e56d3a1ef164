import { sql } from 'kysely'
import type { BusinessDay } from '../../../platform/clock.ts'
import type { DbOrTx } from '../../../platform/db.ts'
import { REWARD_COLUMNS, type RewardRecordRow } from './reward-rows.queries.ts'

export type CycleRow = Pick<RewardRecordRow, 'cycle' | 'amount' | 'lapsed' | 'isCounted'> & {
  day: BusinessDay
}
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
  db: DbOrTx,
  key: { staker: Buffer; planCode: string },
): Promise<EarningCycles | undefined> {
  const found = await sql<Omit<EarningCycles, 'rows'>>`
    select e.id as "earningId", e.start_day as "startDay", e.cycles, e.reward,
      e.freeze_limit as "freezeLimit"
    from earning e where e.staker = ${key.staker} and e.plan_code = ${key.planCode}`.execute(db)
  const [earning] = found.rows
  if (earning === undefined) return undefined
  const { rows } = await sql<CycleRow>`
    select ${REWARD_COLUMNS}
    from earning e join reward_row r on r.earning_id = e.id
      and r.day > e.start_day and r.day <= e.start_day + e.cycles
    where e.id = ${earning.earningId}
    order by r.day`.execute(db)
  return { ...earning, rows }
}
