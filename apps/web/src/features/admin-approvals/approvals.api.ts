import type {
  ApproveReferralClaimReply,
  UpdateReferralRewardReply,
} from '@dct/api-contract/referrals'
import type { SecondApprovalsReply } from '@dct/api-contract/reports'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'

const REFRESH_MS = 30_000

export const approvalsQuery = queryOptions({
  queryKey: ['admin', 'second-approvals'] as const,
  queryFn: ({ signal }) => api.get<SecondApprovalsReply>('/admin/second-approvals', { signal }),
  refetchInterval: REFRESH_MS,
})

type Percentage = { tron_address: string; new_percentage: string }

/** Gives the second of two approvals, which changes several admin lists. */
export function useSecondApproval() {
  const claim = useRefreshingAction(['admin'], (id: string) =>
    api.put<ApproveReferralClaimReply>('/admin/referral-claim-approval', { id }),
  )
  const percentage = useRefreshingAction(
    ['admin'],
    ({ tron_address, new_percentage }: Percentage) =>
      api.put<UpdateReferralRewardReply>('/admin/update-referral-reward', {
        target_tron_address: tron_address,
        referral_reward_percentage: new_percentage,
      }),
  )
  return { claim, percentage }
}
