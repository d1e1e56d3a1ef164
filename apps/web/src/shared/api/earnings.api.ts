import type { UserEarning, UserEarningsReply } from '@dct/api-contract/earnings'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import type { ListQuery } from './wire.ts'

/** A stake of the signed-in user, on chain or only announced. */
export type Earning = UserEarning

export const earningsQueries = {
  all: ['earnings'] as const,
  list: (query: ListQuery) =>
    queryOptions({
      queryKey: [...earningsQueries.all, 'list', query] as const,
      queryFn: ({ signal }) => api.get<UserEarningsReply>('/user/earnings', { query, signal }),
      placeholderData: keepPreviousData,
    }),
}
