import type { ConfigReply } from '@dct/api-contract/config'
import type {
  AdminClaimPoolReply,
  ApproveReferralClaimReply,
  BonusType,
} from '@dct/api-contract/referrals'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { readUsdtBalance } from './read-usdt-balance.ts'

const REFRESH_MS = 30_000

export const claimPoolQueries = {
  all: ['admin', 'claim-pool'] as const,
  list: (query: ListQuery & { bonus_type: BonusType }) =>
    queryOptions({
      queryKey: [...claimPoolQueries.all, 'list', query] as const,
      queryFn: ({ signal }) =>
        api.get<AdminClaimPoolReply>('/admin/referral-claim-pool', { query, signal }),
      // Never the other type's claims.
      placeholderData: (shown, before) =>
        before?.queryKey[3].bonus_type === query.bonus_type ? shown : undefined,
      refetchInterval: REFRESH_MS,
    }),
  /** The payout wallet's USDT, straight from a BSC node. */
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

/** Approves a claim: its USDT leaves the payout wallet. */
export function useApproveClaim() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      api.put<ApproveReferralClaimReply>('/admin/referral-claim-approval', { id }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: claimPoolQueries.all }),
  })
}
