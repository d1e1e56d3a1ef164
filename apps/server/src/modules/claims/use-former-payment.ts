import { amount } from '@dct/money'
import { CENT_USDT } from '@dct/rules/fees'
import { type Selectable, sql } from 'kysely'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { lastPayoutTo } from '../payouts/index.ts'
import { PAID_CYCLES } from './charge-paid-cycles.ts'
import { lockClaim } from './claims.queries.ts'
import type { ClaimTable } from './claims.tables.ts'
import type { SettleDeps } from './settle-fee.ts'
import { isReturnUnderWay, settleUnmatched, type UnmatchedDeps } from './unmatched-payments.ts'

export type FormerPaymentDeps = SettleDeps & Pick<UnmatchedDeps, 'db' | 'realClock'>

/** A payment of more than this part of the fee was meant for something else. */
const MOST_PERCENT = 110n

/**
 * Settles a claim that was just made with a payment of its holder for a claim that the books do not know any more, because
 * an older state of them was restored: nobody is asked for a fee twice. The payment must cover the whole fee, and come
 * from an address that has paid fees of this holder and of nobody else: an exchange pays for many, and anybody could say
 * that a payment was theirs. And no cycles of the holder may have been charged with what the chain had paid since: the
 * payment may have been their fee, so an admin decides.
 * @returns whether the fee is settled
 */
export async function useFormerPayment(deps: FormerPaymentDeps, claimId: bigint): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const claim = await lockClaim(tx, claimId)
    if (claim?.state !== 'awaiting_fee') return false
    const payment = await findPayment(tx, claim)
    if (payment === undefined || (await isReturnUnderWay(tx, deps, payment))) return false
    await settleUnmatched(deps, tx, { claim, receipt: payment, adminId: null })
    return true
  })
}

async function findPayment(tx: Tx, claim: Selectable<ClaimTable>) {
  const charged = await lastPayoutTo(tx, { to: claim.staker, cause: PAID_CYCLES })
  const least = claim.exact_amount - (claim.exact_amount % CENT_USDT)
  const { rows } = await sql<{
    txHash: Buffer
    logIndex: number
    amount: bigint
    blockTime: Date
  }>`
    select r.tx_hash as "txHash", r.log_index as "logIndex", r.amount, r.block_time as "blockTime"
    from usdt_receipt r
    where r.state = 'unmatched' and r.amount >= ${least}
      and r.amount <= ${(least * MOST_PERCENT) / 100n} and r.block_time <= ${claim.fee_until}
      and r.block_time > coalesce(${charged ?? null}::timestamptz, '-infinity')
      and not exists (select from claim c where c.user_id = ${claim.user_id}
        and c.exact_amount = r.amount and c.receiver = r.to_address)
      and exists (select from usdt_receipt p join claim c on c.id = p.claim_id
        where p.from_address = r.from_address and c.user_id = ${claim.user_id})
      and not exists (select from usdt_receipt p join claim c on c.id = p.claim_id
        where p.from_address = r.from_address and c.user_id <> ${claim.user_id})
    order by r.block_number, r.log_index limit 1 for update of r`.execute(tx)
  const [found] = rows
  return found && { ...found, amount: amount('USDT', found.amount) }
}
