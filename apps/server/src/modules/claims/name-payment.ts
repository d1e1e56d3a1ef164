import { ERRORS } from '@dct/api-contract/errors'
import { type ChainReader, NodeUnavailable } from '@dct/chain-clients'
import type { Hex } from 'viem'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { hexOf } from '../chain/index.ts'
import { askSupport, type SupportAddress } from './ask-support.ts'
import {
  checkPayment,
  type PaymentCheck,
  type SeenTransaction,
  wrongAmount,
} from './check-payment.ts'
import { type ClaimTable, own } from './claims.tables.ts'
import { claimOfAmount, receiptsOf, saveHint } from './payments.queries.ts'
import type { Claim } from './serialize-claim.ts'

export type NamePaymentDeps = {
  db: Db
  realClock: Clock
  /** The BSC nodes. */
  reader: Pick<ChainReader, 'receipt' | 'transaction'>
  usdt: Hex
}

export type NamedPayment = {
  userId: bigint
  planCode: string
  code: string | undefined
  hash: string | undefined
}

/**
 * Accepts the hash of a payment as a hint: it says where to look, and the reply reports what is wrong with the
 * transaction. Only the watcher settles a fee, from a final block, by its exact amount.
 * @returns `recorded` if the payment has settled this fee, `submitted` while that is undecided
 * @throws Refusal with the reason why the transaction cannot be the payment
 */
export async function namePayment(
  deps: NamePaymentDeps & SupportAddress,
  input: NamedPayment,
): Promise<{ status: 'recorded' | 'submitted'; code: string }> {
  const txHash = readHash(input.hash)
  const receipts = await receiptsOf(deps.db, txHash)
  const claim = await claimToPay(deps.db, input, receipts)
  if (claim.state === 'paid') return { status: 'recorded', code: claim.code_claim }
  refuseUsed(receipts, input.userId)
  refuseUnmatched(deps, receipts, claim)
  const check = await inspectPayment(deps, txHash, claim)
  if (check.kind === 'wrong') {
    for (const exact of check.amounts) {
      const owner = await claimOfAmount(deps.db, { receiver: claim.receiver, exact })
      if (owner !== undefined && owner.id !== claim.id) throw belongsTo(owner, input.userId)
    }
    throw new Refusal(check.code, {}, check.message)
  }
  await saveHint(deps.db, { claimId: claim.id, txHash, at: deps.realClock.now() })
  return { status: 'submitted', code: claim.code_claim }
}

/** @throws Refusal `PAYMENT_HASH_MISSING`, `PAYMENT_HASH_INVALID` */
export function readHash(text: string | undefined): Buffer {
  const trimmed = text?.trim() ?? ''
  if (trimmed === '') throw new Refusal('PAYMENT_HASH_MISSING')
  if (!/^0x[0-9a-fA-F]{64}$/.test(trimmed)) throw new Refusal('PAYMENT_HASH_INVALID')
  return Buffer.from(trimmed.slice(2), 'hex')
}

type Receipts = Awaited<ReturnType<typeof receiptsOf>>

/**
 * The claim to pay: the one identified by the given code, the one that the payment settled, or the open one in the
 * plan.
 */
async function claimToPay(db: Db, input: NamedPayment, receipts: Receipts): Promise<Claim> {
  const claims = own(db).selectFrom('claim').selectAll().where('user_id', '=', input.userId)
  if (input.code !== undefined) {
    const named = await claims.where('code_claim', '=', input.code).executeTakeFirst()
    if (named === undefined) throw new Refusal('CLAIM_NOT_FOUND')
    const isSettledByIt = receipts.some(({ claim_id }) => claim_id === named.id)
    const isOpen = named.state === 'awaiting_fee'
    if (!isOpen && !isSettledByIt) throw new Refusal('CLAIM_NOT_OPEN', { state: named.state })
    return named
  }
  const inPlan = claims.where('plan_code', '=', input.planCode)
  const settled = receipts.flatMap(({ claim_id }) => (claim_id === null ? [] : [claim_id]))
  const paid =
    settled.length === 0 ? undefined : await inPlan.where('id', 'in', settled).executeTakeFirst()
  if (paid !== undefined) return paid
  const open = await inPlan.where('state', '=', 'awaiting_fee').executeTakeFirst()
  if (open === undefined) throw new Refusal('NO_OPEN_FEE', { earning_plan_code: input.planCode })
  return open
}

/** A payment that has settled another fee cannot settle a second one. */
function refuseUsed(receipts: Receipts, userId: bigint): void {
  if (receipts.some(({ state }) => state === 'unmatched')) return
  const used = receipts.find(({ claim_id }) => claim_id !== null)
  if (used !== undefined) throw belongsTo(used, userId)
}

/** Only the claim's own holder may see its code. */
function belongsTo(
  owner: { user_id: bigint | null; code_claim: string | null },
  userId: bigint,
): Refusal {
  return owner.user_id === userId
    ? new Refusal('PAYMENT_ALREADY_USED', { code_claim: owner.code_claim })
    : new Refusal('PAYMENT_BELONGS_ELSEWHERE')
}

/** Refuses a payment that was recorded but settled nothing. */
function refuseUnmatched(deps: SupportAddress, receipts: Receipts, claim: Claim): void {
  const received = receipts.find(({ state }) => state === 'unmatched')
  if (received === undefined) return
  if (received.amount === claim.exact_amount) {
    if (received.block_time <= claim.fee_until) throw new Refusal('PAYMENT_TOO_OLD')
    const { message } = ERRORS.PAYMENT_TOO_LATE
    const facts = { support_email: deps.supportEmail }
    throw new Refusal('PAYMENT_TOO_LATE', facts, askSupport(message, deps))
  }
  const { code, message } = wrongAmount(received.amount, claim.exact_amount)
  throw new Refusal(code, {}, message)
}

type OpenFee = Pick<ClaimTable, 'receiver' | 'exact_amount' | 'not_before_block' | 'requested_at'>

/** Checks a transaction by its current state on BSC. If no node answers, the hint remains due for a check. */
export async function inspectPayment(
  deps: NamePaymentDeps,
  txHash: Buffer,
  claim: OpenFee,
): Promise<PaymentCheck> {
  const seen = await see(deps.reader, hexOf(txHash))
  return checkPayment(seen, {
    usdt: deps.usdt,
    receiver: hexOf(claim.receiver),
    exact: claim.exact_amount,
    notBeforeBlock: claim.not_before_block,
    requestedAt: claim.requested_at,
  })
}

async function see(reader: NamePaymentDeps['reader'], hash: Hex): Promise<SeenTransaction> {
  try {
    const receipt = await reader.receipt(hash)
    if (receipt.kind === 'final') return receipt.failure === null ? receipt : { kind: 'failed' }
    return { kind: (await reader.transaction(hash)) === null ? 'unknown' : 'pending' }
  } catch (error) {
    if (error instanceof NodeUnavailable) return { kind: 'pending' }
    throw error
  }
}
