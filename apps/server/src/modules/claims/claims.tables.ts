import type { ClaimKind } from '@dct/rules/fees'
import type { Generated, GeneratedAlways } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'
import type { EarningsViews } from '../earnings/index.ts'

export type ClaimState = 'awaiting_fee' | 'paid' | 'cancelled' | 'lapsed'
export type ReceiptState = 'settled' | 'unmatched' | 'refunded' | 'internal' | 'dust'

export type ClaimTable = {
  id: Generated<bigint>
  code_claim: string
  earning_id: bigint
  stake_id: bigint
  /** The wallet that locked the stake; it receives the reward. */
  staker: Buffer
  user_id: bigint
  plan_code: string
  kind: ClaimKind
  first_cycle: number
  last_cycle: number
  /** The last cycle claimed before this claim, to restore if it is cancelled. */
  previous_through: number
  amount: bigint
  now_amount: bigint
  later_amount: bigint
  price: bigint
  unpaid_fee: bigint
  fee_usdt: bigint
  energy_fee: bigint
  exact_amount: bigint
  /** The exact amount while it can still be paid, then 0. */
  unpaid_usdt: GeneratedAlways<bigint>
  receiver: Buffer
  /** The latest BSC block when the claim was made: earlier payments do not count. */
  not_before_block: bigint
  state: Generated<ClaimState>
  requested_at: Date
  fee_until: Date
  paid_at: Date | null
  deadline: Date | null
  closed_at: Date | null
  fee_tx: Buffer | null
  fee_log_index: number | null
  now_tx: Buffer | null
  later_tx: Buffer | null
}

/** Exact amounts that no other fee may use: those of open fees and of recently closed ones. */
export type AmountHoldTable = { receiver: Buffer; exact_amount: bigint; claim_id: bigint }

/** Every USDT transfer that reached a fee receiver. */
export type UsdtReceiptTable = {
  tx_hash: Buffer
  log_index: number
  from_address: Buffer
  to_address: Buffer
  amount: bigint
  block_number: bigint
  block_time: Date
  state: ReceiptState
  claim_id: bigint | null
  /** For a payment that settled nothing: the claim that it was probably meant for. */
  nearest_claim_id: bigint | null
  note: string | null
  handled_by: bigint | null
  handled_at: Date | null
  return_tx: Buffer | null
  return_log_index: number | null
}

/**
 * The transaction that a holder last submitted as the payment of a fee. It proves nothing: it only says where to look,
 * and stores the problem found there if it is not the payment.
 */
export type FeeHintTable = {
  claim_id: bigint
  tx_hash: Buffer
  /** Real time. */
  submitted_at: Date
  /** An error code and its message; null while the transaction may still become the payment. */
  problem: string | null
  message: string | null
  checked_at: Date | null
}

export type ClaimsTables = {
  claim: ClaimTable
  amount_hold: AmountHoldTable
  usdt_receipt: UsdtReceiptTable
  fee_hint: FeeHintTable
}

/** The tables of this module, and the views of other modules that it reads. */
export const own = tablesOf<ClaimsTables & EarningsViews>()
