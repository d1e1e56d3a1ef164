import type { ClaimPoolEntry, ReferralClaimState } from '@dct/api-contract/referrals'
import { formatAmount } from '@dct/money'
import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import type { ReadDb } from '../../../platform/database/db.ts'
import { type PayoutFacts, payoutFacts } from '../../payouts/index.ts'
import type { ListedClaim } from './claim-pool.queries.ts'
import { queuePlaces } from './claim-queue.queries.ts'
import { bonusTypeOf } from './read-referral-claim-request.ts'

/** Referral claims as the API shows them. */
export async function describeClaims(
  db: ReadDb,
  rows: readonly ListedClaim[],
): Promise<ClaimPoolEntry[]> {
  const payouts = await payoutFacts(
    db,
    rows.map((row) => row.payout_id).filter((id) => id !== null),
  )
  const waiting = rows.filter(({ state }) => state === 'requested' || state === 'approved')
  const places = await queuePlaces(
    db,
    waiting.map(({ id }) => id),
  )
  return rows.map((row) => {
    const payout = row.payout_id === null ? undefined : payouts.get(row.payout_id)
    return {
      ...describeClaim(row),
      queue_place: places.get(row.id) ?? null,
      state: shownState(row.state, payout),
    }
  })
}

function describeClaim(row: ListedClaim) {
  const requestedAt = row.requested_at.toISOString()
  return {
    id: `${row.id}`,
    created_at: requestedAt,
    tron_address: formatTronAddress(row.address),
    email: row.email,
    total_accumulated: formatAmount('USDT', row.amount),
    last_claim_date: requestedAt,
    usdt_address: formatEvmAddress(row.usdt_address),
    tx_hash_usdt: row.paid_tx === null ? null : `0x${row.paid_tx.toString('hex')}`,
    approve_at: row.approved_at?.toISOString() ?? null,
    approve_by: spelled(row.approver),
    bonus_type: bonusTypeOf(row.kind),
    first_approve_by: spelled(row.first_approver),
    end_reason: row.end_reason,
  }
}

function spelled(address: Buffer | null): string | null {
  return address === null ? null : formatTronAddress(address)
}

/** The state of an approved claim follows its payout. */
function shownState(
  state: ListedClaim['state'],
  payout: PayoutFacts | undefined,
): ReferralClaimState {
  if (state !== 'approved' || payout === undefined) return state
  if (payout.state === 'sent') return 'sending'
  return payout.waitReason === 'HELD' || payout.waitReason === 'REVERTED' ? 'failed' : 'approved'
}
