import { amount } from '@dct/money'
import type { ReadDb } from '../../../platform/database/db.ts'
import type { ReferralTotals } from '../../auth/index.ts'
import { downlineFigures } from '../tree/downline-figures.queries.ts'
import { type OwnedBalance, readBalances } from './rewards.queries.ts'

/** The exact reward and downline figures of users. Unknown users are left out. */
export async function referralTotals(
  db: ReadDb,
  userIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, ReferralTotals>> {
  const [figures, balances] = await Promise.all([
    downlineFigures(db, userIds),
    readBalances(db, userIds),
  ])
  const balanceOf = (userId: bigint, kind: OwnedBalance['kind']) => {
    const found = balances.find((one) => one.userId === userId && one.kind === kind)
    return {
      earned: amount('USDT', found?.earned ?? 0n),
      claimed: amount('USDT', found?.claimed ?? 0n),
    }
  }
  return new Map(
    [...figures.values()].map(({ userId, directs, turnover }) => {
      const direct = balanceOf(userId, 'direct')
      const indirect = balanceOf(userId, 'indirect')
      const totals = {
        referrals: directs,
        omset: amount('DCT', turnover),
        directReward: direct.earned,
        directClaimed: direct.claimed,
        indirectReward: indirect.earned,
        indirectClaimed: indirect.claimed,
      }
      return [userId, totals]
    }),
  )
}
