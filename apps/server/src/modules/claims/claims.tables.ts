import type { ClaimKind } from '@dct/rules/fees'
import type { Generated } from 'kysely'

export type ClaimState = 'awaiting_fee' | 'paid' | 'cancelled' | 'lapsed'
export type ReceiptState = 'settled' | 'unmatched' | 'refunded' | 'internal'

export type ClaimTable = {
  id: Generated<bigint>
  code_claim: string
  earning_id: bigint
  stake_id: bigint
  /** Who is paid: the wallet that locked. */
  staker: Buffer
  user_id: bigint
  plan_code: string
  kind: ClaimKind
  first_cycle: number
  last_cycle: number
  /** Where the earning's claims stood before, for a claim that is cancelled. */
  previous_through: number
  amount: bigint
  now_amount: bigint
  later_amount: bigint
  price: bigint
  unpaid_fee: bigint
  fee_usdt: bigint
  energy_fee: bigint
  exact_amount: bigint
  receiver: Buffer
  /** The newest BSC block when the claim was made: older payments are not for it. */
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

/** Exact amounts that no other fee may have: of open fees and of those closed lately. */
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
  /** Of what settled nothing: the claim that it was probably meant for. */
  nearest_claim_id: bigint | null
  note: string | null
  handled_by: bigint | null
  handled_at: Date | null
}

/**
 * The transaction that a holder named last as the payment of a fee. It makes nothing true; it says
 * where to look, and what was found there instead of a payment.
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

declare module '../../platform/db.ts' {
  interface DB {
    claim: ClaimTable
    amount_hold: AmountHoldTable
    usdt_receipt: UsdtReceiptTable
    fee_hint: FeeHintTable
  }
}
