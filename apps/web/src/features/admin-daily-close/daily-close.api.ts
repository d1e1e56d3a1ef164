import type { DailyCloseReply, DailyClosesReply } from '@dct/api-contract/reports'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'

const PATH = '/admin/daily-closes'

export const closeQueries = {
  all: ['admin', 'daily-closes'] as const,
  list: (query: ListQuery) =>
    queryOptions({
      queryKey: [...closeQueries.all, 'list', query] as const,
      queryFn: ({ signal }) => api.get<DailyClosesReply>(PATH, { query, signal }),
      select: ({ closes: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
  day: (day: string) =>
    queryOptions({
      queryKey: [...closeQueries.all, 'day', day] as const,
      queryFn: ({ signal }) => api.get<DailyCloseReply>(`${PATH}/${day}`, { signal }),
    }),
}

export function useCloseDay() {
  return useRefreshingAction(closeQueries.all, (day: string) =>
    api.post<DailyCloseReply>(`${PATH}/${day}`, {}),
  )
}

export const closeFile = (day: string) => api.file(`${PATH}/${day}/file`)
