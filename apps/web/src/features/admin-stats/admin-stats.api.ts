import type { DashboardStats } from '@dct/api-contract/admin'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'

const REFRESH_MS = 30_000

/** The product's five totals. */
export const dashboardStatsQuery = queryOptions({
  queryKey: ['admin', 'stats'] as const,
  queryFn: ({ signal }) => api.get<DashboardStats>('/admin/dashboard-stats', { signal }),
  refetchInterval: REFRESH_MS,
})
