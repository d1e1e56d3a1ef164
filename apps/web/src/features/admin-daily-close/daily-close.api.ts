import type { DailyCloseReply, DailyClosesReply } from '@dct/api-contract/reports'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useAction } from '../../shared/lib/use-once.ts'

const PATH = '/admin/daily-closes'

export const closeQueries = {
  all: ['admin', 'daily-closes'] as const,
  list: (query: ListQuery) =>
    queryOptions({
      queryKey: [...closeQueries.all, 'list', query] as const,
      queryFn: ({ signal }) => api.get<DailyClosesReply>(PATH, { query, signal }),
      select: ({ closes, totalPages, total }) => ({ rows: closes, totalPages, total }),
      placeholderData: keepPreviousData,
    }),
  day: (day: string) =>
    queryOptions({
      queryKey: [...closeQueries.all, 'day', day] as const,
      queryFn: ({ signal }) => api.get<DailyCloseReply>(`${PATH}/${day}`, { signal }),
    }),
}

export function useCloseDay() {
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: (day: string) => api.post<DailyCloseReply>(`${PATH}/${day}`, {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: closeQueries.all }),
  })
}

export const closeFile = (day: string) => api.file(`${PATH}/${day}/file`)
