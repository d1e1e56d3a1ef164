import type { ClaimableRewardsReply } from '@dct/api-contract/claims'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'

export const claimableQuery = queryOptions({
  queryKey: ['claimable'] as const,
  queryFn: ({ signal }) => api.get<ClaimableRewardsReply>('/user/claimable-reward', { signal }),
  select: ({ claimable_rewards }) => claimable_rewards,
})
