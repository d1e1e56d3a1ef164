import type { MessageReply } from '@dct/api-contract/common'
import type {
  AdminPayout,
  HoldPayoutBody,
  OperatorCallBody,
  OperatorCallsReply,
  PayoutsReply,
  RetryPayoutBody,
  SendersReply,
} from '@dct/api-contract/payouts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'

const REFRESH_MS = 15_000
type PayoutQuery = ListQuery & { state?: AdminPayout['state']; chain?: AdminPayout['chain'] }

export const payoutQueries = {
  list: (query: PayoutQuery) =>
    queryOptions({
      queryKey: ['admin', 'payouts', 'list', query] as const,
      queryFn: ({ signal }) => api.get<PayoutsReply>('/admin/payouts', { query, signal }),
      select: ({ payouts: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MS,
    }),
  senders: queryOptions({
    queryKey: ['admin', 'payouts', 'senders'] as const,
    queryFn: ({ signal }) => api.get<SendersReply>('/admin/senders', { signal }),
    refetchInterval: REFRESH_MS,
  }),
  calls: queryOptions({
    queryKey: ['admin', 'payouts', 'operator calls'] as const,
    queryFn: ({ signal }) => api.get<OperatorCallsReply>('/admin/operator-calls', { signal }),
    refetchInterval: REFRESH_MS,
  }),
}

type Acts = {
  '/admin/payouts/retry': RetryPayoutBody
  '/admin/payouts/hold': HoldPayoutBody
  '/admin/operator-calls/retry': OperatorCallBody
  '/admin/operator-calls/give-up': OperatorCallBody
}

/** Runs one of the actions on payouts, then refetches everything about payouts. */
export function usePayoutAct<P extends keyof Acts>(path: P) {
  return useRefreshingAction(['admin', 'payouts'], (body: Acts[P]) =>
    api.post<MessageReply>(path, body),
  )
}
