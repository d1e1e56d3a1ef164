import type {
  AttachPaymentBody,
  RefundedPaymentBody,
  UnmatchedPayment,
  UnmatchedPaymentsReply,
} from '@dct/api-contract/claims'
import type { MessageReply } from '@dct/api-contract/common'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'

const REFRESH_MS = 30_000
const PATH = '/admin/unmatched-payments'

export const paymentQueries = {
  all: ['admin', 'odd-payments'] as const,
  list: (query: ListQuery & { state: UnmatchedPayment['state'] }) =>
    queryOptions({
      queryKey: [...paymentQueries.all, query] as const,
      queryFn: ({ signal }) => api.get<UnmatchedPaymentsReply>(PATH, { query, signal }),
      select: ({ payments: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MS,
    }),
}

/** Settles a claim's fee with a payment that did not match. */
export function useAttachPayment() {
  return useRefreshingAction(['admin'], (body: AttachPaymentBody) =>
    api.post<MessageReply>(`${PATH}/attach`, body),
  )
}

/** Records that a payment was refunded. */
export function useMarkRefunded() {
  return useRefreshingAction(['admin'], (body: RefundedPaymentBody) =>
    api.post<MessageReply>(`${PATH}/refunded`, body),
  )
}
