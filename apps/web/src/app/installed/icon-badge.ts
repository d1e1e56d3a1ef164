import type { ClaimableRewardsReply, PendingFeesReply } from '@dct/api-contract/claims'
import type { QueryClient } from '@tanstack/react-query'
import { claimableQuery } from '../../shared/api/claimable.api.ts'
import { OPEN_FEES } from '../../shared/api/first-calls.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { tokenStore } from '../../shared/session/token-store.ts'

/**
 * Keeps the badge on the app's icon up to date: the number of possible claims and due fees, from data that the pages
 * have loaded anyway.
 */
export function keepBadge(queryClient: QueryClient): void {
  let shown: number | undefined
  const show = () => {
    const count = tokenStore.get() === null ? 0 : countWaiting(queryClient)
    if (count === undefined || count === shown) return
    shown = count
    // The browser decides whether this device's icon can show a badge.
    navigator.setAppBadge(count).catch(() => undefined)
  }
  queryClient.getQueryCache().subscribe(show)
  tokenStore.subscribe(show)
  show()
}

/** The number of items waiting for the holder; undefined while it is unknown. */
export function countWaiting(queryClient: QueryClient): number | undefined {
  const claimable = queryClient.getQueryData<ClaimableRewardsReply>(claimableQuery.queryKey)
  const fees = queryClient.getQueryData<PendingFeesReply>(
    pendingFeeQueries.list(OPEN_FEES).queryKey,
  )
  if (!claimable || !fees) return undefined
  return claimable.claimable_rewards.filter(({ can_claim }) => can_claim).length + fees.total
}
