import type { OwedDaysReply, OwnOwedReply } from '@dct/api-contract/owed-list'
import type { ReservesReply } from '@dct/api-contract/reports'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'

const REFRESH_MS = 30_000

export const reservesQuery = queryOptions({
  queryKey: ['reserves'] as const,
  queryFn: ({ signal }) => api.get<ReservesReply>('/public/reserves', { signal, token: null }),
  refetchInterval: REFRESH_MS,
})

export const owedDaysQuery = queryOptions({
  queryKey: ['owed'] as const,
  queryFn: ({ signal }) => api.get<OwedDaysReply>('/public/owed', { signal, token: null }),
})

export const readOwnOwed = () => api.get<OwnOwedReply>('/user/owed')
