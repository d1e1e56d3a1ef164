import type { PendingClaimFee, PendingFeesReply } from '@dct/api-contract/claims'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { OPEN_FEES } from './first-calls.ts'
import type { ListQuery } from './wire.ts'

export const pendingFeeQueries = {
  all: ['pending-fees'] as const,
  list: (query: ListQuery & { is_paid: boolean }) =>
    queryOptions({
      queryKey: [...pendingFeeQueries.all, 'list', query] as const,
      queryFn: ({ signal }) =>
        api.get<PendingFeesReply>('/user/pending-claim-fees', { query, signal }),
      placeholderData: keepPreviousData,
    }),
}

/**
 * Fetches a fee's current state; undefined once it is no longer open. Searches by plan, so that paging cannot hide it.
 */
export async function findOpenFee(
  queryClient: QueryClient,
  { code_claim, earning_plan_code }: Pick<PendingClaimFee, 'code_claim' | 'earning_plan_code'>,
): Promise<PendingClaimFee | undefined> {
  const open = await queryClient.fetchQuery({
    ...pendingFeeQueries.list({ ...OPEN_FEES, search: earning_plan_code }),
    staleTime: 0,
  })
  return open.pending_fees.find((fee) => fee.code_claim === code_claim)
}
