import { amount } from '@dct/money'
import { sql } from 'kysely'
import type { ReadDb } from '../../../platform/database/db.ts'
import type { ReferralTotals } from '../../auth/index.ts'
import { downlineFigures, queueExists } from '../tree/downline-figures.queries.ts'

type TotalsRow = {
  userId: bigint
  directs: number
  turnover: bigint
  isQueued: boolean
  directEarned: bigint
  directClaimed: bigint
  indirectEarned: bigint
  indirectClaimed: bigint
}

/** The exact reward and downline figures of users. Unknown users are left out. */
export async function referralTotals(
  db: ReadDb,
  userIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, ReferralTotals>> {
  const rows = await readTotals(db, userIds)
  const isExact = rows[0]?.isQueued !== true
  const figures = isExact ? undefined : await downlineFigures(db, userIds)
  return new Map(
    rows.map((row) => {
      const { directs, turnover } = figures?.get(row.userId) ?? row
      const totals = {
        referrals: directs,
        omset: amount('DCT', turnover),
        directReward: amount('USDT', row.directEarned),
        directClaimed: amount('USDT', row.directClaimed),
        indirectReward: amount('USDT', row.indirectEarned),
        indirectClaimed: amount('USDT', row.indirectClaimed),
      }
      return [row.userId, totals]
    }),
  )
}

/** One read, because every page asks it first: without changes of downlines that are still queued. */
async function readTotals(db: ReadDb, userIds: readonly bigint[]): Promise<readonly TotalsRow[]> {
  if (userIds.length === 0) return []
  const { rows } = await sql<TotalsRow>`
    select n.user_id as "userId", coalesce(t.directs, 0) as directs, coalesce(t.turnover, 0) as turnover,
      ${queueExists()} as "isQueued",
      coalesce(d.earned, 0) as "directEarned", coalesce(d.claimed, 0) as "directClaimed",
      coalesce(i.earned, 0) as "indirectEarned", coalesce(i.claimed, 0) as "indirectClaimed"
    from referral_node n
      left join downline_total t on t.user_id = n.user_id
      left join referral_balance d on d.user_id = n.user_id and d.kind = 'direct'
      left join referral_balance i on i.user_id = n.user_id and i.kind = 'indirect'
    where n.user_id in (${sql.join(userIds)})`.execute(db)
  return rows
}
