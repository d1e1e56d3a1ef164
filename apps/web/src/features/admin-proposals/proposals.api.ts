import type { MessageReply } from '@dct/api-contract/common'
import type { DeclineProposalBody, Proposal, ProposalsReply } from '@dct/api-contract/proposals'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'
import { toast } from '../../shared/ui/toast-store.ts'

const REFRESH_MS = 30_000

export const proposalsQuery = queryOptions({
  queryKey: ['admin', 'proposals'] as const,
  queryFn: ({ signal }) => api.get<ProposalsReply>('/admin/proposals', { signal }),
  select: ({ proposals }) => proposals,
  refetchInterval: REFRESH_MS,
})

// Each shows what became of it by itself: the row that asked for it is gone once the list is loaded again.

type Outcome = { message: string; is_set?: boolean; is_approved?: boolean }

/** Sends what another admin has proposed, which decides it. */
export function useConfirmProposal() {
  return useRefreshingAction(['admin'], async (proposal: Proposal) => {
    const { message, is_set, is_approved } = await send(proposal)
    toast.outcome(message, { isDone: is_set === true || is_approved === true })
  })
}

/** Takes back what this admin has proposed. */
export function useWithdrawProposal() {
  return useRefreshingAction(['admin'], async ({ id, proposed_at }: Proposal) => {
    const body = { id, proposed_at }
    const { message } = await api.post<MessageReply>('/admin/proposals/withdraw', body)
    toast.success(message)
  })
}

/** Declines what another admin has proposed. */
export function useDeclineProposal() {
  return useRefreshingAction(['admin'], async (body: DeclineProposalBody) => {
    const { message } = await api.post<MessageReply>('/admin/proposals/decline', body)
    toast.success(message)
  })
}

function send({ kind, claim, tron_address, value }: Proposal): Promise<Outcome> {
  if (claim !== null) return api.put('/admin/referral-claim-approval', { id: claim.id })
  return kind === 'referral_percentage'
    ? api.put('/admin/update-referral-reward', {
        ...{ target_tron_address: tron_address, referral_reward_percentage: value },
      })
    : api.post('/admin/money-settings', { name: kind, value })
}
