import type { AdminLogReply } from '@dct/api-contract/admin'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'

type LogQuery = ListQuery & { action?: string }

export const logQuery = (query: LogQuery) =>
  queryOptions({
    queryKey: ['admin', 'log', query] as const,
    queryFn: ({ signal }) => api.get<AdminLogReply>('/admin/log', { query, signal }),
    select: ({ entries: rows, ...frame }) => ({ rows, ...frame }),
    placeholderData: keepPreviousData,
  })
