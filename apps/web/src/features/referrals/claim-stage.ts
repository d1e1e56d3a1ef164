import type { ClaimPoolEntry } from '@dct/api-contract/referrals'

/** The steps of a claim: signed, approved, sent, paid. */
export const CLAIM_STEPS = 4

/** How many steps of a claim are done; undefined for one that ended without payment. */
export function claimStage({
  state,
  tx_hash_usdt,
}: Pick<ClaimPoolEntry, 'state' | 'tx_hash_usdt'>): number | undefined {
  if (state === 'declined' || state === 'returned') return undefined
  if (state === 'paid') return CLAIM_STEPS
  if (state === 'requested') return 1
  return tx_hash_usdt === null ? 2 : 3
}
