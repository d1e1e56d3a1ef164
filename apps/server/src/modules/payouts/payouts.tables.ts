import type { Generated, GeneratedAlways } from 'kysely'
import { tablesOf } from '../../platform/database/db.ts'
import type { ChainName } from '../chain/index.ts'

export type Chain = ChainName
export type PayoutState = 'waiting' | 'sent' | 'final' | 'returned'
/** The states of a payout or call that is not finished. */
export const OPEN_STATES: readonly PayoutState[] = ['waiting', 'sent']

/** Columns that payouts and operator calls share: both need a transaction from the service. */
type IntentColumns = {
  id: GeneratedAlways<bigint>
  state: Generated<PayoutState>
  /** Final reverts since an admin last retried it. */
  failures: Generated<number>
  wait_reason: string | null
  wait_detail: string | null
  waiting_since: Date | null
  /** Real time, because nodes and wallets do not follow the business clock. */
  retry_at: Date | null
  created_at: Date
  final_tx: Buffer | null
  final_block: bigint | null
  final_at: Date | null
}

/** What a chain counts payments for: a stake on Tron, a referrer's kind of bonus on BSC. */
export type PayoutAccountTable = {
  id: GeneratedAlways<bigint>
  chain: Chain
  /** The staker on Tron; on BSC the referrer, by the 20 bytes of the Tron address. */
  holder: Buffer
  /** The plan's code on Tron, the kind of bonus on BSC. */
  name: string
  /** The highest total that events of the chain stated. */
  paid: Generated<bigint>
  /** The part of `paid` whose own events have not been read. */
  unread: Generated<bigint>
  /** The sum of its final payouts. */
  settled: Generated<bigint>
  /** The sum of its payouts that are neither final nor returned. */
  open: Generated<bigint>
  /** Real time. */
  tried_at: Date | null
}

export type PayoutTable = IntentColumns & {
  account_id: bigint
  chain: Chain
  asset: 'DCT' | 'USDT'
  cause: string
  to_address: Buffer
  amount: bigint
  plan_code: string | null
}

export type OperatorCallTable = IntentColumns & {
  cause: string
  kind: 'openPlan' | 'closePlan' | 'release' | 'publishOwed'
  args: Record<string, string>
  subject: string
}

export type SendAttemptTable = {
  id: GeneratedAlways<bigint>
  chain: Chain
  sender: Buffer
  payout_id: bigint | null
  call_id: bigint | null
  attempt: number
  tx_hash: Buffer
  raw: Buffer
  nonce: bigint | null
  gas_price: bigint | null
  expires_at: Date | null
  /** What a payment's transaction states: what was paid before it, and what it adds. */
  paid_before: bigint | null
  amount: bigint | null
  state: Generated<'pending' | 'expired' | 'confirmed'>
  proof: Record<string, unknown> | null
  signed_at: Date
  ended_at: Date | null
  /** The transaction's fee in the chain's native coin (sun or wei); null until it was read from the final chain. */
  fee: bigint | null
}

/** A scope in which nothing is signed while the books differ. */
export type PayoutHaltTable = {
  source: string
  kind: 'plan' | 'payout' | 'account' | 'chain'
  scope: string
  reason: string
  since: Date
}

export type ChainPaymentTable = {
  chain: Chain
  tx_hash: Buffer
  log_index: number
  account_id: bigint
  total: bigint
  plan_code: string | null
  from_address: Buffer
  to_address: Buffer
  amount: bigint
  block_number: bigint
  block_time: Date
}

export type PayoutsTables = {
  payout_account: PayoutAccountTable
  payout: PayoutTable
  operator_call: OperatorCallTable
  send_attempt: SendAttemptTable
  chain_payment: ChainPaymentTable
  payout_halt: PayoutHaltTable
}

export const own = tablesOf<PayoutsTables>()
