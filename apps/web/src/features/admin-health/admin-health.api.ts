import type { AlarmsReply } from '@dct/api-contract/admin'
import type { AuditRunsReply } from '@dct/api-contract/audit'
import type { MessageReply } from '@dct/api-contract/common'
import type { ServiceHealthReply } from '@dct/api-contract/operations'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useAction } from '../../shared/lib/use-once.ts'

const REFRESH_MS = 5_000
const AUDITS = '/admin/ledger-audits'

export const healthQueries = {
  audits: ['admin', 'audits'] as const,
  service: queryOptions({
    queryKey: ['admin', 'health'] as const,
    queryFn: ({ signal }) => api.get<ServiceHealthReply>('/admin/health', { signal }),
    refetchInterval: REFRESH_MS,
  }),
  alarms: queryOptions({
    queryKey: ['admin', 'alarms'] as const,
    queryFn: ({ signal }) => api.get<AlarmsReply>('/admin/alarms', { signal }),
    select: ({ alarms }) => alarms,
    refetchInterval: REFRESH_MS,
  }),
  auditRuns: (query: ListQuery & { is_full?: boolean }) =>
    queryOptions({
      queryKey: [...healthQueries.audits, query] as const,
      queryFn: ({ signal }) => api.get<AuditRunsReply>(AUDITS, { query, signal }),
      select: ({ audit_runs, totalPages }) => ({ rows: audit_runs, totalPages }),
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MS,
    }),
}

/** Has the worker audit the books now. */
export function useAskAudit() {
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: (isFull: boolean) => api.post<MessageReply>(AUDITS, { is_full: isFull }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: healthQueries.audits }),
  })
}
