import type { QueryClient } from '@tanstack/react-query'
import { claimableQuery } from './claimable.api.ts'
import { earningsQueries } from './earnings.api.ts'
import { pendingFeeQueries } from './pending-fees.api.ts'

/** Refetches everything that changes with a claim, its cancellation, or the payment of its fee. */
export async function refreshClaims(queryClient: QueryClient): Promise<void> {
  const changed = [pendingFeeQueries.all, claimableQuery.queryKey, earningsQueries.all]
  await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}
