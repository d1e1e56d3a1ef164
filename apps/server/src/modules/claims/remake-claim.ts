import { amount, type Usdt } from '@dct/money'
import { CENT_USDT, feeParts, hasTail } from '@dct/rules/fees'
import { sql } from 'kysely'
import { addDays, businessDayOf } from '../../platform/clock.ts'
import { type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import { invariant, Refusal } from '../../platform/errors.ts'
import { feeUntil, type UnclaimedSums, unclaimedSums } from '../earnings/index.ts'
import { lastPayoutTo } from '../payouts/index.ts'
import { currentPrice, moneySettings } from '../pricing/index.ts'
import { PAID_CYCLES } from './charge-paid-cycles.ts'
import { type ClaimableDeps, minimumOf } from './claimable-rewards.ts'
import { lockClaim } from './claims.queries.ts'
import { own } from './claims.tables.ts'
import {
  bookClaim,
  chargePaid,
  type RequestClaimInput,
  type RequestedClaim,
  requestClaim,
} from './request-claim.ts'
import type { Receipt, SettleDeps } from './settle-fee.ts'
import { isReturnUnderWay, settleUnmatched, type UnmatchedDeps } from './unmatched-payments.ts'

export type RemakeDeps = ClaimableDeps & SettleDeps & Pick<UnmatchedDeps, 'realClock'>

/** A claim that the books had lost, made again and paid by the payment that it had. */
export type RemadeClaim = RequestedClaim & { paid: Usdt }

/**
 * Claims everything on one earning. First, claims that the books do not know any more, because an older state of them was
 * restored, are made again from the payments of their fees: nobody is asked for a fee twice. The claim that is requested
 * takes what was credited beyond them, at the fee of that alone.
 * @throws what `requestClaim` throws, unless a lost claim was made again: then that is all
 */
export async function claimWithFormer(
  deps: RemakeDeps,
  input: RequestClaimInput,
): Promise<{ remade: readonly RemadeClaim[]; claim: RequestedClaim | undefined }> {
  const remade: RemadeClaim[] = []
  for (let one = await remakeClaim(deps, input); one; one = await remakeClaim(deps, input))
    remade.push(one)
  try {
    return { remade, claim: await requestClaim(deps, input) }
  } catch (error) {
    if (remade.length === 0 || !(error instanceof Refusal)) throw error
    return { remade, claim: undefined }
  }
}

async function remakeClaim(
  deps: RemakeDeps,
  input: RequestClaimInput,
): Promise<RemadeClaim | undefined> {
  if ((await formerPayments(deps.db, input.user.id)).length === 0) return undefined
  const now = deps.clock.now()
  return inTransaction(deps.db, async (tx) => {
    await chargePaid(deps, tx, input)
    const found = await findLost(deps, tx, { input, now })
    if (found === undefined) return undefined
    const { payment, through } = found
    const made = await bookClaim(deps, tx, { input: { ...input, maxFee: undefined }, now, through })
    const claim = await lockClaim(tx, made.id)
    invariant(claim !== undefined, `claim ${made.code} was just made`)
    await settleUnmatched(deps, tx, { claim, receipt: payment, adminId: null })
    return { ...made, paid: payment.amount }
  })
}

type Found = {
  payment: Receipt
  /** The last cycle that it pays; undefined for all. */
  through: number | undefined
}

async function findLost(
  deps: RemakeDeps,
  tx: Tx,
  { input, now }: { input: RequestClaimInput; now: Date },
): Promise<Found | undefined> {
  const { address: staker } = input.user
  const earning = await unclaimedSums(tx, { staker, planCode: input.planCode })
  if (earning === undefined) return undefined
  const { price } = await currentPrice(deps, tx, now)
  const { energyFee } = await moneySettings(tx)
  // Cycles that were charged with what the chain had paid since: the payment may have been their fee.
  const charged = await lastPayoutTo(tx, { to: staker, cause: PAID_CYCLES })
  const usable = (await formerPayments(tx, input.user.id)).filter(
    ({ blockTime }) =>
      (charged === undefined || blockTime > charged) && blockTime <= feeUntil(earning.endsAt),
  )
  for (const payment of usable) {
    const covered = coveredBy(deps, earning, { payment, price, energyFee })
    if (covered !== undefined && (await isUsable(deps, tx, payment)))
      return { payment, through: covered === 'all' ? undefined : covered }
  }
  return undefined
}

/** A payment of more than this part of a fee was meant for something else. */
const MOST_PERCENT = 110n

/**
 * What a payment pays of an earning: the cycles, begun when it was made, whose fee it is to the cent; else all of them, if
 * it covers their fee.
 */
function coveredBy(
  deps: RemakeDeps,
  { startDay, cycles, sums }: UnclaimedSums,
  { payment, price, energyFee }: { payment: Receipt; price: bigint; energyFee: Usdt },
): number | 'all' | undefined {
  const { dctDecimals } = deps
  const feeOf = (sum: bigint) =>
    feeParts({ claimed: amount('DCT', sum), dctDecimals, price, energyFee }).cent
  const cent = payment.amount - (payment.amount % CENT_USDT)
  const paidOn = businessDayOf(payment.blockTime)
  const exact = sums.findLast(
    ({ cycle, amount: sum }, at) =>
      sum > (sums[at - 1]?.amount ?? 0n) &&
      (sum >= minimumOf(deps) || cycle === cycles) &&
      addDays(startDay, cycle) <= paidOn &&
      feeOf(sum) === cent,
  )
  if (exact !== undefined) return exact.cycle
  const least = feeOf(sums.at(-1)?.amount ?? 0n)
  return least <= payment.amount && payment.amount * 100n <= least * MOST_PERCENT
    ? 'all'
    : undefined
}

/** Locks the payment. @returns false if it was used meanwhile, or somebody decides about it */
async function isUsable(deps: RemakeDeps, tx: Tx, payment: Receipt): Promise<boolean> {
  const locked = await own(tx)
    .selectFrom('usdt_receipt')
    .select('log_index')
    .where('tx_hash', '=', payment.txHash)
    .where('log_index', '=', payment.logIndex)
    .where('state', '=', 'unmatched')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return locked !== undefined && !(await isReturnUnderWay(tx, deps, payment))
}

/**
 * Payments with the amount of a fee, but of none that is known, from an address that has paid fees of this holder and of
 * nobody else: an exchange pays for many, and anybody could say that a payment was theirs.
 */
async function formerPayments(db: DbOrTx, userId: bigint): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    with payer as materialized (
      select distinct p.from_address from claim c join usdt_receipt p on p.claim_id = c.id
      where c.user_id = ${userId}),
    own_payer as materialized (
      select from_address from payer where not exists (
        select from usdt_receipt p join claim c on c.id = p.claim_id
        where p.from_address = payer.from_address and c.user_id <> ${userId}))
    select r.tx_hash as "txHash", r.log_index as "logIndex", r.amount, r.block_time as "blockTime"
    from own_payer join usdt_receipt r using (from_address)
    where r.state = 'unmatched'
      and not exists (select from claim c where c.user_id = ${userId}
        and c.exact_amount = r.amount and c.receiver = r.to_address)
    order by r.block_number, r.log_index`.execute(db)
  return rows.filter(({ amount }) => hasTail(amount))
}
