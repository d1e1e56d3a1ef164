import type { UserEarning, UserEarningsReply } from '@dct/api-contract/earnings'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { ListQuery } from './wire.ts'

/** A stake of the signed-in user, on chain or only announced. */
export type Earning = UserEarning

/** The panel and everything that depends on it ask for the same first page. */
export const FIRST_EARNINGS: ListQuery = {
  page: 1,
  limit: 10,
  sort_by: 'start_date',
  sort_order: 'desc',
}

const WAITING_REFRESH_MS = 5_000

export const earningsQueries = {
  all: ['earnings'] as const,
  list: (query: ListQuery) =>
    queryOptions({
      queryKey: [...earningsQueries.all, 'list', query] as const,
      queryFn: ({ signal }) => api.get<UserEarningsReply>('/user/earnings', { query, signal }),
      placeholderData: keepPreviousData,
      // A join that waits for its confirmation is looked after until it is decided.
      refetchInterval: ({ state }) =>
        state.data?.earnings.some(({ is_hash_confirmed }) => is_hash_confirmed === 'WAITING')
          ? WAITING_REFRESH_MS
          : false,
    }),
}
