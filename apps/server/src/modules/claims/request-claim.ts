import { amount, type Dct, formatAmount, type Usdt } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { type ClaimKind, feeParts, splitClaim } from '@dct/rules/fees'
import { inBooking, type Tx, together } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { writeEvent } from '../../platform/outbox/write-messages.ts'
import { bytesOf, headNumberOf, hexOf } from '../chain/index.ts'
import { feeUntil, type TakenClaimable, takeClaimable } from '../earnings/index.ts'
import { account, postLast, type Transfer } from '../ledger/index.ts'
import { type AccountKey, type BookDeps, chargeAdvance, createPayout } from '../payouts/index.ts'
import { currentPrice, moneySettings } from '../pricing/index.ts'
import { chargePaidCycles } from './charge-paid-cycles.ts'
import { claimCode, claimCodeKey } from './claim-code.ts'
import { type ClaimableDeps, minimumOf } from './claimable-rewards.ts'
import { insertClaim, openClaimOf, setExactAmount } from './claims.queries.ts'
import { drawAmount, findFreeAmount, holdAmount } from './hold-amount.ts'

export type RequestClaimInput = {
  user: { id: bigint; address: Buffer }
  planCode: string
  kind: ClaimKind
  /** The maximum fee that the holder agreed to pay. */
  maxFee: Usdt | undefined
}

export type RequestedClaim = {
  id: bigint
  code: string
  kind: ClaimKind
  now: Dct
  later: Dct
  exact: Usdt
}

type Fee = ReturnType<typeof feeParts> & { price: bigint; notBeforeBlock: bigint }

/**
 * Turns everything claimable on one earning into a claim that awaits its fee; the first half of a HALF claim is paid
 * out immediately. Locks, in this order: the plan's daily run, the earning, the ledger accounts.
 * @returns DCT base units; `now + later` is the whole claim. `exact` is the only amount that pays the fee.
 * @throws Refusal `EARNING_NOT_FOUND`, `CLAIM_FEE_OPEN`, `CLAIM_TIME_OVER`, `NOTHING_TO_CLAIM`, `BELOW_MINIMUM_CLAIM`,
 * `PRICE_UNAVAILABLE`, `FEE_ABOVE_MAXIMUM`
 */
export async function requestClaim(
  deps: ClaimableDeps,
  input: RequestClaimInput,
): Promise<RequestedClaim> {
  const now = deps.clock.now()
  return inBooking(deps.db, async (tx) => {
    await chargePaid(deps, tx, input)
    return bookClaim(deps, tx, { input, now })
  })
}

/** The cycles that the chain has already paid are not claimed, and no fee is asked for them. */
export async function chargePaid(
  deps: ClaimableDeps,
  tx: Tx,
  { user, planCode }: Pick<RequestClaimInput, 'user' | 'planCode'>,
): Promise<void> {
  const stake: AccountKey = { chain: 'TRON', holder: hexOf(user.address), name: planCode }
  await chargeAdvance(charging(deps), tx, stake)
}

/** `code`: that of a claim that is made again. */
type Taking = { input: RequestClaimInput; now: Date; through?: number; code?: string }

/** Books a claim of all cycles, or of those through one. Throws what `requestClaim` throws. */
export async function bookClaim(
  deps: ClaimableDeps,
  tx: Tx,
  made: Taking,
): Promise<RequestedClaim> {
  const { input, now, code } = made
  const { user, planCode } = input
  const asked = { staker: user.address, planCode, receiver: deps.feeReceiver }
  // If several of them refuse, the reason of the first in this list is reported.
  const [notBeforeBlock, taken, { price }, { energyFee }, codeKey] = await together(
    newestBscBlock(tx),
    takeEnough(deps, tx, made),
    currentPrice(deps, tx, now),
    moneySettings(tx),
    claimCodeKey(tx),
  )
  const parts = feeParts({
    claimed: amount('DCT', taken.amount),
    dctDecimals: deps.dctDecimals,
    price,
    energyFee,
  })
  const claim = await writeClaim(deps, tx, {
    ...{ input, taken, now },
    codeOf: (exact) => code ?? claimCode(codeKey, { ...asked, exact }),
    fee: { ...parts, price, notBeforeBlock },
  })
  const [payoutId] = await together(
    payFirstHalf(tx, { claim, taken, to: input.user.address, now }),
    reportClaimed(tx, { claim, input, at: now }),
  )
  await postLast(tx, transfersOf(claim, { planCode: taken.planCode, payoutId, at: now }))
  return claim
}

function charging({ clock }: ClaimableDeps): BookDeps {
  return {
    clock,
    onFinal: async () => undefined,
    charge: (tx, { account: stake, most }) =>
      chargePaidCycles(tx, { staker: bytesOf(stake.holder), planCode: stake.name, most }),
  }
}

async function reportClaimed(
  tx: Tx,
  { claim, input, at }: { claim: RequestedClaim; input: RequestClaimInput; at: Date },
): Promise<void> {
  await writeEvent(tx, {
    type: 'claim.made',
    at,
    data: {
      claim_code: claim.code,
      holder: formatTronAddress(input.user.address),
      plan_code: input.planCode,
      claim_type: claim.kind,
      pay_now: { asset: 'DCT', units: claim.now },
      pay_after_fee: { asset: 'DCT', units: claim.later },
      fee: { asset: 'USDT', units: claim.exact },
    },
  })
}

/** The latest BSC block seen: earlier payments never count towards a new fee. */
async function newestBscBlock(tx: Tx): Promise<bigint> {
  const head = await headNumberOf(tx, 'BSC')
  if (head === undefined) {
    const cause = new Error('no BSC block has been read yet')
    throw new Refusal('UNAVAILABLE', {}, undefined, { cause })
  }
  return head
}

/** Takes the claimable amount, if it is enough for a claim. */
async function takeEnough(deps: ClaimableDeps, tx: Tx, made: Taking): Promise<TakenClaimable> {
  const taken = await takeOrName(tx, made)
  if (taken.amount < minimumOf(deps) && !taken.isAfterEnd) throw new Refusal('BELOW_MINIMUM_CLAIM')
  return taken
}

/** Takes the claimable amount. If the last fee is still open, the refusal names its claim and its amount. */
async function takeOrName(tx: Tx, { input, now, through }: Taking): Promise<TakenClaimable> {
  const { address: staker } = input.user
  try {
    return await takeClaimable(tx, { staker, planCode: input.planCode, now, through })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'CLAIM_FEE_OPEN') throw error
    const open = await openClaimOf(tx, { staker, planCode: input.planCode })
    throw new Refusal('CLAIM_FEE_OPEN', {
      earning_plan_code: input.planCode,
      code_claim: open?.code_claim ?? null,
      claim_type: open?.kind ?? null,
      unpaid_fee_usdt: open === undefined ? null : formatAmount('USDT', open.exact_amount),
    })
  }
}

type NewClaim = {
  input: RequestClaimInput
  taken: TakenClaimable
  now: Date
  fee: Fee
  codeOf(exact: Usdt): string
}

async function writeClaim(
  deps: ClaimableDeps,
  tx: Tx,
  { input, taken, now, fee, codeOf }: NewClaim,
): Promise<RequestedClaim> {
  const receiver = deps.feeReceiver
  const split = splitClaim(amount('DCT', taken.amount), input.kind)
  const drawn = drawAmount(fee.cent)
  let asked = { exact: drawn, code: codeOf(drawn) }
  const { id, isHeld } = await insertClaim(tx, {
    code_claim: asked.code,
    earning_id: taken.earningId,
    stake_id: taken.stakeId,
    staker: input.user.address,
    user_id: input.user.id,
    plan_code: taken.planCode,
    kind: input.kind,
    first_cycle: taken.firstCycle,
    last_cycle: taken.lastCycle,
    previous_through: taken.previousThrough,
    amount: taken.amount,
    now_amount: split.now,
    later_amount: split.later,
    price: fee.price,
    unpaid_fee: fee.unpaidFee,
    fee_usdt: fee.feeUsdt,
    energy_fee: fee.energyFee,
    exact_amount: asked.exact,
    receiver,
    not_before_block: fee.notBeforeBlock,
    requested_at: now,
    fee_until: feeUntil(taken.endsAt),
  })
  if (!isHeld) asked = await holdAnother(tx, { id, receiver, cent: fee.cent, codeOf })
  refuseAbove(input.maxFee, asked.exact)
  return { id, kind: input.kind, ...split, ...asked }
}

/** Reserves another amount because the one drawn is taken. Tries again if a concurrent claim takes it first. */
async function holdAnother(
  tx: Tx,
  {
    id,
    receiver,
    cent,
    codeOf,
  }: { id: bigint; receiver: Buffer; cent: Usdt } & Pick<NewClaim, 'codeOf'>,
): Promise<{ exact: Usdt; code: string }> {
  while (true) {
    const exact = await findFreeAmount(tx, { receiver, cent })
    if (await holdAmount(tx, { receiver, exact, claimId: id })) {
      const asked = { exact, code: codeOf(exact) }
      await setExactAmount(tx, { id, ...asked })
      return asked
    }
  }
}

function refuseAbove(maxFee: Usdt | undefined, exact: Usdt): void {
  if (maxFee === undefined || exact <= maxFee) return
  const fee = formatAmount('USDT', exact)
  throw new Refusal(
    'FEE_ABOVE_MAXIMUM',
    { fee_usdt: fee },
    `The fee is ${fee} USDT now, more than the estimate. Please confirm again.`,
  )
}

/** Creates the payout of the half that is due immediately; undefined if there is none. */
async function payFirstHalf(
  tx: Tx,
  half: { claim: RequestedClaim; taken: TakenClaimable; to: Buffer; now: Date },
): Promise<bigint | undefined> {
  const { claim, taken, to, now } = half
  if (claim.now === 0n) return undefined
  return createPayout(tx, {
    account: { chain: 'TRON', holder: hexOf(to), name: taken.planCode },
    cause: `claim:${claim.id}:now`,
    amount: claim.now,
    at: now,
  })
}

function transfersOf(
  claim: RequestedClaim,
  { planCode, payoutId, at }: { planCode: string; payoutId: bigint | undefined; at: Date },
): Transfer[] {
  const from = { debit: account.credited(planCode), asset: 'DCT', ref: `${claim.id}`, at } as const
  const later: Transfer = {
    ...from,
    credit: account.claim(claim.id),
    amount: claim.later,
    kind: 'claim.waits_for_fee',
  }
  if (payoutId === undefined) return [later]
  const credit = account.payout(payoutId)
  return [{ ...from, credit, amount: claim.now, kind: 'claim.half_at_once' }, later]
}
