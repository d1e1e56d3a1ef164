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
import { type Asked, claimCodeKey, isCodeOf } from './claim-code.ts'
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

/** `knownCodes`: those of claims that the holder's device remembers. */
type RemakeInput = RequestClaimInput & { knownCodes: readonly string[] }

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
  input: RemakeInput,
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

async function remakeClaim(deps: RemakeDeps, input: RemakeInput): Promise<RemadeClaim | undefined> {
  const codes = await lostCodes(deps.db, input.knownCodes)
  if (codes.length + (await formerPayments(deps.db, input.user.id)).length === 0) return undefined
  const now = deps.clock.now()
  return inTransaction(deps.db, async (tx) => {
    await chargePaid(deps, tx, input)
    const found = await findLost(deps, tx, { input, now, codes })
    if (found === undefined) return undefined
    const { payment, ...taking } = found
    const made = await bookClaim(deps, tx, {
      ...taking,
      input: { ...input, maxFee: undefined },
      now,
    })
    const claim = await lockClaim(tx, made.id)
    invariant(claim !== undefined, `claim ${made.code} was just made`)
    await settleUnmatched(deps, tx, { claim, receipt: payment, adminId: null })
    return { ...made, paid: payment.amount }
  })
}

type Found = {
  payment: Receipt
  /** The last cycle that it pays; none for all. */
  through?: number
  /** That of the claim that it was for, if that is known. */
  code?: string
}

async function findLost(
  deps: RemakeDeps,
  tx: Tx,
  { input, now, codes }: { input: RequestClaimInput; now: Date; codes: readonly string[] },
): Promise<Found | undefined> {
  const { user, planCode } = input
  const { address: staker } = user
  const earning = await unclaimedSums(tx, { staker, planCode })
  if (earning === undefined) return undefined
  const { price } = await currentPrice(deps, tx, now)
  const { energyFee } = await moneySettings(tx)
  // Cycles that were charged with what the chain had paid since: the payment may have been their fee.
  const charged = await lastPayoutTo(tx, { to: staker, cause: PAID_CYCLES })
  const candidates: Found[] = [
    ...(await paymentsOfCodes(tx, { staker, planCode, codes })),
    ...(await formerPayments(tx, user.id)).map((payment) => ({ payment })),
  ]
  for (const { payment, code } of candidates) {
    const { blockTime } = payment
    if (blockTime > feeUntil(earning.endsAt) || (charged !== undefined && blockTime <= charged))
      continue
    const covered = coveredBy(deps, earning, { payment, code, price, energyFee })
    if (covered === undefined || !(await isUsable(deps, tx, payment))) continue
    return {
      payment,
      ...(covered !== 'all' && { through: covered }),
      ...(code !== undefined && { code }),
    }
  }
  return undefined
}

/** A payment of more than this part of a fee was meant for something else, unless its claim is known. */
const MOST_PERCENT = 110n

type Basis = { payment: Receipt; code: string | undefined; price: bigint; energyFee: Usdt }

/**
 * What a payment pays of an earning: the cycles, begun when it was made, whose fee it is to the cent; else all of them, if
 * it covers their fee. One whose claim is known was the fee of some of them at another price: it pays those that it covers.
 */
function coveredBy(
  deps: RemakeDeps,
  { startDay, cycles, sums }: UnclaimedSums,
  { payment, code, price, energyFee }: Basis,
): number | 'all' | undefined {
  const { dctDecimals } = deps
  const feeOf = (sum: bigint) =>
    feeParts({ claimed: amount('DCT', sum), dctDecimals, price, energyFee }).cent
  const cent = payment.amount - (payment.amount % CENT_USDT)
  const paidOn = businessDayOf(payment.blockTime)
  const begun = sums.filter(
    ({ cycle, amount: sum }, at) =>
      sum > (sums[at - 1]?.amount ?? 0n) &&
      (sum >= minimumOf(deps) || cycle === cycles) &&
      addDays(startDay, cycle) <= paidOn,
  )
  const exact = begun.findLast(({ amount: sum }) => feeOf(sum) === cent)
  if (exact !== undefined) return exact.cycle
  if (code !== undefined) return begun.findLast(({ amount: sum }) => feeOf(sum) <= cent)?.cycle
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

/** Codes that no claim has. */
async function lostCodes(db: DbOrTx, codes: readonly string[]): Promise<readonly string[]> {
  if (codes.length === 0) return codes
  const rows = await own(db)
    .selectFrom('claim')
    .select('code_claim')
    .where('code_claim', 'in', codes)
    .execute()
  const known = new Set(rows.map(({ code_claim }) => code_claim))
  return codes.filter((code) => !known.has(code))
}

const MOST_UNMATCHED = 1_000

/** Payments that settled nothing of which a code proves that they were asked of this staker, whoever made them. */
async function paymentsOfCodes(
  tx: Tx,
  { codes, ...asked }: Omit<Asked, 'exact' | 'receiver'> & { codes: readonly string[] },
): Promise<Found[]> {
  if (codes.length === 0) return []
  const key = await claimCodeKey(tx)
  const rows = await own(tx)
    .selectFrom('usdt_receipt')
    .select(['tx_hash', 'log_index', 'amount', 'block_time', 'to_address as receiver'])
    .where('state', '=', 'unmatched')
    .orderBy('block_number', 'desc')
    .limit(MOST_UNMATCHED)
    .execute()
  return rows.toReversed().flatMap(({ amount: exact, receiver, ...row }) => {
    const code = codes.find((one) => isCodeOf(key, one, { ...asked, exact, receiver }))
    if (code === undefined) return []
    const { tx_hash: txHash, log_index: logIndex, block_time: blockTime } = row
    return [{ payment: { txHash, logIndex, blockTime, amount: amount('USDT', exact) }, code }]
  })
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
