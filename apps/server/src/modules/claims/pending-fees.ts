import type { PendingFeesQuery } from '@dct/api-contract/claims'
import { formatAmount } from '@dct/money'
import { CANCEL_AFTER_HOURS } from '@dct/rules/constants'
import { isCancellable } from '@dct/rules/fees'
import type { Db } from '../../platform/database/db.ts'
import { hexOf } from '../chain/index.ts'
import { askSupport, type SupportAddress } from './ask-support.ts'
import {
  type ClaimSort,
  listClaims,
  type Mismatch,
  type PaymentHint,
  paymentsFor,
  readClaimSearch,
} from './claim-lists.queries.ts'
import type { ClaimState } from './claims.tables.ts'
import {
  type Claim,
  type Decimals,
  earlyHash,
  FEE_NETWORK,
  formatReceiver,
  formatUsdt,
  partsOf,
  rewardHash,
  serializeExactFee,
  serializeFeeParts,
} from './serialize-claim.ts'

export type PendingFeesDeps = Decimals & SupportAddress & { db: Db }

const HOUR_MS = 3_600_000
/** Columns with a different meaning here than in the histories. */
const ORDER_OF_FEES: { readonly [Column in PendingFeesQuery['sort_by']]?: ClaimSort } = {
  claimed_amount: 'now_amount',
}

/** The fees of a user's claims, unpaid ones first. */
export async function describePendingFees(
  deps: PendingFeesDeps,
  query: PendingFeesQuery & { userId: bigint },
) {
  const states = statesOf(query.is_paid)
  const { userId, page, limit, sort_by, sort_order } = query
  const paging = { page, limit, sort_by: ORDER_OF_FEES[sort_by] ?? sort_by, sort_order }
  const { claims, total } = await listClaims(deps.db, {
    ...paging,
    userId,
    states,
    search: await readClaimSearch(deps.db, query.search),
    dctDecimals: deps.dctDecimals,
    isUnpaidFirst: true,
  })
  const paymentsOf = await paymentsFor(deps.db, claims)
  const fees = claims.map((claim) => {
    const { hint, mismatches } = paymentsOf(claim.id)
    return {
      ...describeFee(deps, claim),
      hint: describeHint(hint),
      mismatch: describeMismatch(deps, claim, mismatches),
    }
  })
  return { fees, total }
}

function statesOf(isPaid: boolean | undefined): ClaimState[] {
  if (isPaid === undefined) return ['awaiting_fee', 'paid']
  return isPaid ? ['paid'] : ['awaiting_fee']
}

function describeFee(deps: Decimals, claim: Claim) {
  const dct = (base: bigint) => formatAmount('DCT', base, deps.dctDecimals)
  const isPaid = claim.state === 'paid'
  return {
    earning_plan_code: claim.plan_code,
    claim_type: claim.kind,
    code_claim: claim.code_claim,
    pending_token_amount: dct(claim.amount),
    claimed_amount: dct(claim.now_amount),
    now_amount: dct(claim.now_amount),
    later_amount: dct(claim.later_amount),
    ...serializeExactFee(claim),
    ...serializeFeeParts(deps, partsOf(claim)),
    is_paid: isPaid,
    paid_at: claim.paid_at?.toISOString() ?? null,
    deadline: claim.deadline?.toISOString() ?? null,
    tx_hash_usdt: claim.fee_tx === null ? null : hexOf(claim.fee_tx),
    tx_hash_reward: rewardHash(claim),
    claimed_trx_hash: earlyHash(claim),
    status: claim.later_tx === null ? ('Waiting' as const) : ('Done' as const),
    claim_date: claim.requested_at.toISOString(),
    first_cycle: claim.first_cycle,
    last_cycle: claim.last_cycle,
    fee_until: claim.fee_until.toISOString(),
    cancellable_from: cancellableFrom(claim)?.toISOString() ?? null,
    receiver_address: formatReceiver(claim.receiver),
    network: FEE_NETWORK,
  }
}

/** The earliest time at which a claim can be cancelled; null if it cannot be cancelled. */
export function cancellableFrom(claim: Claim): Date | null {
  if (!isCancellable(claim.kind) || claim.state !== 'awaiting_fee') return null
  return new Date(claim.requested_at.getTime() + CANCEL_AFTER_HOURS * HOUR_MS)
}

function describeHint(hint: PaymentHint | undefined) {
  if (hint === undefined) return null
  return {
    tx_hash: hexOf(hint.hash),
    is_checking: hint.problem === null,
    problem_code: hint.problem,
    message: hint.message ?? 'The payment is recorded as soon as the network has confirmed it.',
  }
}

function describeMismatch(
  deps: SupportAddress,
  claim: Claim,
  [receipt, ...earlier]: readonly Mismatch[],
) {
  if (receipt === undefined) return null
  const received = formatUsdt(receipt.amount)
  const expected = formatUsdt(claim.exact_amount)
  const message =
    claim.state === 'paid'
      ? `Received another ${received} USDT for this fee, which is paid already.`
      : `Received ${received} USDT, expected exactly ${expected} USDT.`
  return {
    tx_hash: hexOf(receipt.hash),
    received_usdt: received,
    expected_usdt: expected,
    message: askSupport(message, deps),
    earlier: earlier.map(({ hash, amount }) => ({
      tx_hash: hexOf(hash),
      received_usdt: formatUsdt(amount),
    })),
  }
}
