import type { UsersReply } from '@dct/api-contract/admin'
import type {
  ClaimPoolHistoryReply,
  DownlineTurnoverReply,
  ReferralRewardsReply,
  ReferralsReply,
  UpdateReferralRewardBody,
  UpdateReferralRewardReply,
} from '@dct/api-contract/referrals'
import type { RatePreviewReply } from '@dct/api-contract/reports'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useAction } from '../../shared/lib/use-once.ts'

type UserListQuery = ListQuery & { filter_reward_percentage?: boolean }
/** The path of a request about one user. */
export const pathOf = (path: string, address: string) =>
  `/admin/${path}/${encodeURIComponent(address)}`

export const userQueries = {
  all: ['admin', 'users'] as const,
  list: (query: UserListQuery) =>
    queryOptions({
      queryKey: [...userQueries.all, 'list', query] as const,
      queryFn: ({ signal }) => api.get<UsersReply>('/admin/users', { query, signal }),
      select: ({ users: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
  rewards: (address: string, query: ListQuery) =>
    queryOptions({
      queryKey: [...userQueries.all, 'rewards', address, query] as const,
      queryFn: ({ signal }) =>
        api.get<ReferralRewardsReply>(pathOf('referral-reward-history', address), {
          query,
          signal,
        }),
      select: ({ referral_rewards: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
  claims: (address: string, query: ListQuery) =>
    queryOptions({
      queryKey: [...userQueries.all, 'claims', address, query] as const,
      queryFn: ({ signal }) =>
        api.get<ClaimPoolHistoryReply>(pathOf('referral-claim-pool-history', address), {
          query,
          signal,
        }),
      select: ({ referral_claim_pool: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
  referrals: (address: string, query: ListQuery) =>
    queryOptions({
      queryKey: [...userQueries.all, 'referrals', address, query] as const,
      queryFn: ({ signal }) =>
        api.get<ReferralsReply>(pathOf('user-referrals', address), { query, signal }),
      select: ({ referrals: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
  /** What a new percentage would have cost recently, and whom it affects. */
  ratePreview: (address: string, percentage: string) =>
    queryOptions({
      queryKey: [...userQueries.all, 'rate-preview', address, percentage] as const,
      queryFn: ({ signal }) =>
        api.get<RatePreviewReply>('/admin/referral-reward-preview', {
          query: { target_tron_address: address, referral_reward_percentage: percentage },
          signal,
        }),
    }),
  turnover: (address: string) =>
    queryOptions({
      queryKey: [...userQueries.all, 'turnover', address] as const,
      queryFn: ({ signal }) =>
        api.get<DownlineTurnoverReply>(pathOf('downline-turnover', address), { signal }),
    }),
}

/** Sets a user's share of the fees that their downline pays. */
export function useUpdatePercentage() {
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: (body: UpdateReferralRewardBody) =>
      api.put<UpdateReferralRewardReply>('/admin/update-referral-reward', body),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: userQueries.all }),
  })
}
