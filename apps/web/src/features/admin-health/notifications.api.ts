import type { MessageReply } from '@dct/api-contract/common'
import type { Delivery, NotificationsReply } from '@dct/api-contract/notifications'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import { useRefreshingAction } from '../../shared/lib/use-refreshing-action.ts'

const PATH = '/admin/notifications'
const REFRESH_MS = 5_000
/** The refresh interval while a test message is being delivered. */
const WATCH_MS = 1_000

export const notificationsQuery = queryOptions({
  queryKey: ['admin', 'notifications'] as const,
  queryFn: ({ signal }) => api.get<NotificationsReply>(PATH, { signal }),
  refetchInterval: ({ state }) => (isTestRunning(state.data) ? WATCH_MS : REFRESH_MS),
})

function isTestRunning(reply: NotificationsReply | undefined): boolean {
  const { test } = reply ?? {}
  if (test == null) return false
  return !test.is_dispatched || test.deliveries.some(isPending)
}

function isPending({ state }: Delivery): boolean {
  return state === 'pending'
}

/** Sends a message to every channel. */
export function useSendTest() {
  return useRefreshingAction(notificationsQuery.queryKey, () =>
    api.post<MessageReply>(`${PATH}/test`, {}),
  )
}
