import type { MessageReply } from '@dct/api-contract/common'
import type { Delivery, NotificationsReply } from '@dct/api-contract/notifications'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import { useAction } from '../../shared/lib/use-once.ts'

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
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: () => api.post<MessageReply>(`${PATH}/test`, {}),
    onSettled: () => queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey }),
  })
}
