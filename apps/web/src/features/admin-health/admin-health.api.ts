import type { AcknowledgeAlarmBody, AlarmsReply } from '@dct/api-contract/admin'
import type { AuditRunsReply } from '@dct/api-contract/audit'
import type { EndHaltBody, HaltReply } from '@dct/api-contract/chains'
import type { MessageReply } from '@dct/api-contract/common'
import type { ServiceHealthReply } from '@dct/api-contract/operations'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'

const REFRESH_MS = 5_000
const AUDITS = '/admin/ledger-audits'

export const healthQueries = {
  audits: ['admin', 'audits'] as const,
  service: queryOptions({
    queryKey: ['admin', 'health'] as const,
    queryFn: ({ signal }) => api.get<ServiceHealthReply>('/admin/health', { signal }),
    refetchInterval: REFRESH_MS,
  }),
  /** Reads a large part of the chain, so it runs only on request. */
  halt: (chain: EndHaltBody['chain']) =>
    queryOptions({
      queryKey: ['admin', 'halt', chain] as const,
      queryFn: ({ signal }) =>
        api.get<HaltReply>('/admin/chain-halt', { query: { chain }, signal }),
      staleTime: 0,
      gcTime: 0,
      retry: false,
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
      select: ({ audit_runs: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MS,
    }),
}

/** Confirms the reviewed changes, so that the halted chain is read again. */
export function useEndHalt() {
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: (body: EndHaltBody) => api.post<MessageReply>('/admin/chain-halt/end', body),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: healthQueries.service.queryKey }),
  })
}

/** Ends an alarm about a one-time event. */
export function useAcknowledgeAlarm() {
  return useRefreshingAction(healthQueries.alarms.queryKey, (body: AcknowledgeAlarmBody) =>
    api.post<MessageReply>('/admin/alarms/acknowledge', body),
  )
}

/** Requests an audit of the books, which the worker runs. */
export function useAskAudit() {
  return useRefreshingAction(healthQueries.audits, (isFull: boolean) =>
    api.post<MessageReply>(AUDITS, { is_full: isFull }),
  )
}
