import type { ClaimedRewardsReply } from '@dct/api-contract/claims'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { earningsQueries } from './earnings.api.ts'

/** The halves that HALF claims paid immediately, in all plans. */
export const earlyClaimsQuery = queryOptions({
  queryKey: [...earningsQueries.all, 'early-claims'] as const,
  queryFn: ({ signal }) => api.get<ClaimedRewardsReply>('/user/get-claimed-rewards', { signal }),
  select: ({ claimed_rewards }) => claimed_rewards,
})
