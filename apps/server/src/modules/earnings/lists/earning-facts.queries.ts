import { type Dct, parseAmount } from '@dct/money'
import { CLAIM_MIN_DCT, FREEZE_GRACE_CYCLES } from '@dct/rules/constants'
import type { StakeHistory } from '@dct/rules/cycles'
import { sql } from 'kysely'
import type { ReadDb } from '../../../platform/database/db.ts'
import { exemptDaysSince } from '../distribution/exemptions.queries.ts'
import { readLapsedCycles } from './lapsed-cycles.ts'

/** The facts and decisions from which an earning's state is computed. */
export type EarningFacts = StakeHistory & {
  id: bigint
  hasOpenFee: boolean
  expiredAmount: bigint | null
  releaseAskedAt: Date | null
  releasedAt: Date | null
  releaseTx: Buffer | null
}

/** The facts of earnings, keyed by id. */
export async function readEarningFacts(
  db: ReadDb,
  { ids, dctDecimals }: { ids: readonly bigint[]; dctDecimals: number },
): Promise<ReadonlyMap<bigint, EarningFacts>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Omit<EarningFacts, 'lapsed'> & { lapsed: string }>`
    select e.id, e.start_day as "startDay", e.reward, e.cycles, e.lapsed::text, e.freeze_limit as "freezeLimit",
      e.claimed_through as "claimedThrough", e.has_open_fee as "hasOpenFee", k.cycle,
      e.own_exempt_days + ${exemptDaysSince(sql`(e.start_day + k.cycle)`)} as exempt,
      e.expired_amount as "expiredAmount", e.release_asked_at as "releaseAskedAt",
      e.released_at as "releasedAt", e.release_tx as "releaseTx"
    from earning e
      join distribution_cursor c on c.plan_id = e.plan_id
      cross join lateral (
        select greatest(0, least(e.cycles, c.through_day - e.start_day)) as cycle) k
    where e.id in (${sql.join(ids)})`.execute(db)
  const minimumClaim: Dct = parseAmount('DCT', CLAIM_MIN_DCT, dctDecimals)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...row,
        lapsed: readLapsedCycles(row.lapsed),
        graceCycles: FREEZE_GRACE_CYCLES,
        minimumClaim,
      },
    ]),
  )
}
