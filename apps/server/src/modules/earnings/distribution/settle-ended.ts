import { CLAIM_OPEN_DAYS_AFTER_END } from '@dct/rules/constants'
import { sql } from 'kysely'
import { type Clock, DAY_MS } from '../../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/database/db.ts'
import type { Loop } from '../../../platform/loops/loop.ts'
import { account, postTransfers } from '../../ledger/index.ts'
import { messageHolders } from '../../messages/index.ts'
import { own } from '../earnings.tables.ts'

const EARNINGS_A_STEP = 100

/**
 * Lapses rewards still unclaimed 180 days after the end, tells their holders, and marks the earnings as settled. Skips
 * an earning while a claim's fee is open.
 */
export function createSettleLoop({ db, clock }: { db: Db; clock: Clock }): Loop {
  return {
    name: 'lapse of unclaimed rewards',
    async step() {
      const now = clock.now()
      const settled = await inTransaction(db, (tx) => settleEnded(tx, now))
      return settled < EARNINGS_A_STEP
    },
  }
}

async function settleEnded(tx: Tx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - CLAIM_OPEN_DAYS_AFTER_END * DAY_MS)
  const ended = await own(tx)
    .selectFrom('earning as e')
    .innerJoin('distribution_cursor as c', 'c.plan_id', 'e.plan_id')
    .select(['e.id', 'e.plan_code', 'e.cycles', 'e.staker'])
    .where('e.is_settled', '=', false)
    .where('e.has_open_fee', '=', false)
    .where('e.ends_at', '<', before)
    .where(sql<boolean>`c.through_day >= e.start_day + e.cycles`)
    .orderBy('e.ends_at')
    .limit(EARNINGS_A_STEP)
    .forUpdate('e')
    .skipLocked()
    .execute()
  for (const earning of ended) await settle(tx, earning, now)
  return ended.length
}

async function settle(
  tx: Tx,
  earning: { id: bigint; plan_code: string; cycles: number; staker: Buffer },
  now: Date,
): Promise<void> {
  const { unclaimed } = await own(tx)
    .selectFrom('earning_reward_view')
    .select('unclaimed')
    .where('id', '=', earning.id)
    .executeTakeFirstOrThrow()
  await own(tx)
    .updateTable('earning')
    .set({
      is_settled: true,
      claimed_through: earning.cycles,
      own_exempt_days: 0,
      ...(unclaimed > 0n && { expired_amount: unclaimed, expired_at: now }),
    })
    .where('id', '=', earning.id)
    .execute()
  await postTransfers(tx, [
    {
      debit: account.credited(earning.plan_code),
      credit: account.lapsed(earning.plan_code),
      asset: 'DCT',
      amount: unclaimed,
      kind: 'reward_expired',
      ref: `${earning.id}`,
      at: now,
    },
  ])
  if (unclaimed > 0n) await messageLapsed(tx, earning, { units: unclaimed, at: now })
}

async function messageLapsed(
  tx: Tx,
  earning: { id: bigint; plan_code: string; staker: Buffer },
  { units, at }: { units: bigint; at: Date },
): Promise<void> {
  const holder = await own(tx)
    .selectFrom('listener_view')
    .select('user_id')
    .where('address', '=', earning.staker)
    .executeTakeFirst()
  if (holder === undefined) return
  const amount = { asset: 'DCT', units } as const
  const facts = { plan_code: earning.plan_code, amount, variant: 'Rewards' } as const
  const key = `rewards ${earning.id}`
  await messageHolders(tx, [{ userId: holder.user_id, kind: 'lapsed', key, facts, at }])
}
