import type {
  AttachPaymentBody,
  RefundedPaymentBody,
  UnmatchedPayment,
  UnmatchedPaymentsReply,
} from '@dct/api-contract/claims'
import type { MessageReply } from '@dct/api-contract/common'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { useAction } from '../../shared/lib/use-once.ts'

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
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: (body: AttachPaymentBody) => api.post<MessageReply>(`${PATH}/attach`, body),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  })
}

/** Records that a payment was refunded. */
export function useMarkRefunded() {
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: (body: RefundedPaymentBody) => api.post<MessageReply>(`${PATH}/refunded`, body),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
  })
}
