import type { MessageReply } from '@dct/api-contract/common'
import type { ConfigReply } from '@dct/api-contract/config'
import type {
  AdminClaimPoolReply,
  ApproveReferralClaimReply,
  BonusType,
  EndReferralClaimBody,
} from '@dct/api-contract/referrals'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'
import { readUsdtBalance } from './read-usdt-balance.ts'

const REFRESH_MS = 30_000

export const claimPoolQueries = {
  all: ['admin', 'claim-pool'] as const,
  list: (query: ListQuery & { bonus_type: BonusType }) =>
    queryOptions({
      queryKey: [...claimPoolQueries.all, 'list', query] as const,
      queryFn: ({ signal }) =>
        api.get<AdminClaimPoolReply>('/admin/referral-claim-pool', { query, signal }),
      select: ({ claim_pool: rows, ...frame }) => ({ rows, ...frame }),
      // Never show the other type's claims while loading.
      placeholderData: (shown, before) =>
        before?.queryKey[3].bonus_type === query.bonus_type ? shown : undefined,
      refetchInterval: REFRESH_MS,
    }),
  /** The vault's USDT balance, read directly from a BSC node. */
  balance: (bsc: ConfigReply['bsc'] | undefined) =>
    queryOptions({
      queryKey: [...claimPoolQueries.all, 'balance', bsc?.payout_address] as const,
      queryFn: ({ signal }) => {
        if (bsc === undefined) throw new Error('The installation is not known yet')
        const { rpc, usdt, usdt_decimals: decimals, payout_address: owner } = bsc
        return readUsdtBalance({ rpc, usdt, decimals, owner }, signal)
      },
      enabled: bsc !== undefined,
      refetchInterval: REFRESH_MS,
    }),
}

/** Approves a claim; its USDT is then paid from the vault. */
export function useApproveClaim() {
  return useRefreshingAction(claimPoolQueries.all, (id: string) =>
    api.put<ApproveReferralClaimReply>('/admin/referral-claim-approval', { id }),
  )
}

/** How a claim ends without payment: declined before its approval, or returned after a payout that cannot succeed. */
export type ClaimEnding = 'decline' | 'return'

/** Ends a claim without payment, so that its amount can be claimed again. */
export function useEndClaim(ending: ClaimEnding) {
  return useRefreshingAction(claimPoolQueries.all, (body: EndReferralClaimBody) =>
    api.put<MessageReply>(`/admin/referral-claim-${ending}`, body),
  )
}
