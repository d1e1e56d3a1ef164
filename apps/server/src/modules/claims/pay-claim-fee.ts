import { type ChainReader, NodeUnavailable } from '@dct/chain-clients'
import type { Hex } from 'viem'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { hexOf } from '../chain/index.ts'
import type { ClaimTable } from './claims.tables.ts'
import { type Judgement, judgePayment, type SeenTransaction, wrongAmount } from './judge-payment.ts'
import { claimOfAmount, receiptsOf, saveHint } from './payments.queries.ts'
import type { Claim } from './spell-claim.ts'

export type PayFeeDeps = {
  db: Db
  realClock: Clock
  /** Of BSC. */
  reader: Pick<ChainReader, 'finalReceipt' | 'transaction'>
  usdt: Hex
}

export type PayFeeInput = {
  userId: bigint
  planCode: string
  code: string | undefined
  hash: string | undefined
}

/**
 * Takes the hash of a payment as a hint: it says where to look and is answered with what is wrong
 * there. Only the watcher settles a fee, from a final block, by the exact amount.
 * @returns `recorded` when the payment has settled this fee, `submitted` while that is open
 * @throws Refusal with the reason why the transaction cannot be the payment
 */
export async function payClaimFee(
  deps: PayFeeDeps,
  input: PayFeeInput,
): Promise<{ status: 'recorded' | 'submitted'; code: string }> {
  const txHash = readHash(input.hash)
  const receipts = await receiptsOf(deps.db, txHash)
  const claim = await claimToPay(deps.db, input, receipts)
  if (claim.state === 'paid') return { status: 'recorded', code: claim.code_claim }
  refuseUsed(receipts, input.userId)
  refuseUnmatched(receipts, claim)
  const judgement = await lookAt(deps, txHash, claim)
  if (judgement.kind === 'wrong') {
    for (const exact of judgement.amounts) {
      const owner = await claimOfAmount(deps.db, { receiver: claim.receiver, exact })
      if (owner !== undefined && owner.id !== claim.id) throw belongsTo(owner, input.userId)
    }
    throw new Refusal(judgement.code, {}, judgement.message)
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

/** The claim that is meant: the one named, the one that the payment settled, or the plan's open one. */
async function claimToPay(db: Db, input: PayFeeInput, receipts: Receipts): Promise<Claim> {
  const own = db.selectFrom('claim').selectAll().where('user_id', '=', input.userId)
  if (input.code !== undefined) {
    const named = await own.where('code_claim', '=', input.code).executeTakeFirst()
    if (named === undefined) throw new Refusal('CLAIM_NOT_FOUND')
    const isSettledByIt = receipts.some(({ claim_id }) => claim_id === named.id)
    const isOpen = named.state === 'awaiting_fee'
    if (!isOpen && !isSettledByIt) throw new Refusal('CLAIM_NOT_OPEN', { state: named.state })
    return named
  }
  const inPlan = own.where('plan_code', '=', input.planCode)
  const settled = receipts.flatMap(({ claim_id }) => (claim_id === null ? [] : [claim_id]))
  const paid =
    settled.length === 0 ? undefined : await inPlan.where('id', 'in', settled).executeTakeFirst()
  if (paid !== undefined) return paid
  const open = await inPlan.where('state', '=', 'awaiting_fee').executeTakeFirst()
  if (open === undefined) throw new Refusal('NO_OPEN_FEE', { earning_plan_code: input.planCode })
  return open
}

/** A payment that has settled another fee settles no second one. */
function refuseUsed(receipts: Receipts, userId: bigint): void {
  if (receipts.some(({ state }) => state === 'unmatched')) return
  const used = receipts.find(({ claim_id }) => claim_id !== null)
  if (used !== undefined) throw belongsTo(used, userId)
}

/** The claim's code is told to its own holder alone. */
function belongsTo(
  owner: { user_id: bigint | null; code_claim: string | null },
  userId: bigint,
): Refusal {
  return owner.user_id === userId
    ? new Refusal('PAYMENT_ALREADY_USED', { code_claim: owner.code_claim })
    : new Refusal('PAYMENT_BELONGS_ELSEWHERE')
}

/** A payment that was recorded and settled nothing. */
function refuseUnmatched(receipts: Receipts, claim: Claim): void {
  const received = receipts.find(({ state }) => state === 'unmatched')
  if (received === undefined) return
  if (received.amount === claim.exact_amount) throw new Refusal('PAYMENT_TOO_OLD')
  const { code, message } = wrongAmount(received.amount, claim.exact_amount)
  throw new Refusal(code, {}, message)
}

type OpenFee = Pick<ClaimTable, 'receiver' | 'exact_amount' | 'not_before_block'>

/** What BSC says now. An answer that does not come changes nothing: the hint stays to be looked at. */
export async function lookAt(deps: PayFeeDeps, txHash: Buffer, claim: OpenFee): Promise<Judgement> {
  const seen = await see(deps.reader, hexOf(txHash))
  return judgePayment(seen, {
    usdt: deps.usdt,
    receiver: hexOf(claim.receiver),
    exact: claim.exact_amount,
    notBeforeBlock: claim.not_before_block,
  })
}

async function see(reader: PayFeeDeps['reader'], hash: Hex): Promise<SeenTransaction> {
  try {
    const receipt = await reader.finalReceipt(hash)
    if (receipt !== null) {
      return receipt.succeeded ? { kind: 'final', ...receipt } : { kind: 'failed' }
    }
    return { kind: (await reader.transaction(hash)) === null ? 'unknown' : 'pending' }
  } catch (error) {
    if (error instanceof NodeUnavailable) return { kind: 'pending' }
    throw error
  }
}
