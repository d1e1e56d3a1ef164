import type { MessageReply } from '@dct/api-contract/common'
import type { DeliveriesReply, Delivery } from '@dct/api-contract/deliveries'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'

const PATH = '/admin/deliveries'
const REFRESH_MS = 5_000
/** The refresh interval while a test message is being delivered. */
const WATCH_MS = 1_000

export const deliveriesQuery = queryOptions({
  queryKey: ['admin', 'deliveries'] as const,
  queryFn: ({ signal }) => api.get<DeliveriesReply>(PATH, { signal }),
  refetchInterval: ({ state }) => (isTestRunning(state.data) ? WATCH_MS : REFRESH_MS),
})

function isTestRunning(reply: DeliveriesReply | undefined): boolean {
  const { test } = reply ?? {}
  if (test == null) return false
  return !test.is_dispatched || test.deliveries.some(isPending)
}

function isPending({ state }: Delivery): boolean {
  return state === 'pending'
}

/** Sends a message to every channel. */
export function useSendTest() {
  return useRefreshingAction(deliveriesQuery.queryKey, () =>
    api.post<MessageReply>(`${PATH}/test`, {}),
  )
}
