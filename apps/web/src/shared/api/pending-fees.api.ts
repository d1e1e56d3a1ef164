import type { PendingClaimFee, PendingFeesReply } from '@dct/api-contract/claims'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { isInternalHash } from '../lib/internal-hash.ts'
import { api } from './client.ts'
import type { ListQuery } from './wire.ts'

/** How the fees that wait for a payment are asked for, wherever they are shown. */
export const OPEN_FEES: ListQuery & { is_paid: false } = {
  page: 1,
  limit: 10,
  sort_by: 'claim_date',
  sort_order: 'desc',
  is_paid: false,
}

/** Payments are found by themselves, so whoever waits for one is kept up to date. */
const REFRESH_MS = 3_000

export const pendingFeeQueries = {
  all: ['pending-fees'] as const,
  list: (query: ListQuery & { is_paid: boolean }) =>
    queryOptions({
      queryKey: [...pendingFeeQueries.all, 'list', query] as const,
      queryFn: ({ signal }) =>
        api.get<PendingFeesReply>('/user/pending-claim-fees', { query, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) =>
        state.data?.pending_fees.some(isOnItsWay) ? REFRESH_MS : false,
    }),
}

/** A fee as it stands now; undefined once it is not open any more. Looked for by its plan, so that no page hides it. */
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

/** Something of this fee can still change without the holder doing anything here. */
function isOnItsWay({ is_paid, tx_hash_reward }: PendingClaimFee): boolean {
  return !is_paid || !tx_hash_reward || isInternalHash(tx_hash_reward)
}
