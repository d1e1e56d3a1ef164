import type { StatusReply } from '@dct/api-contract/status'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'

const REFRESH_MS = 15_000

export const statusQuery = queryOptions({
  queryKey: ['status'] as const,
  queryFn: ({ signal }) => api.get<StatusReply>('/public/status', { signal, token: null }),
  refetchInterval: REFRESH_MS,
})
