import { onlineManager, QueryClient } from '@tanstack/react-query'
import { isUnanswered } from './api-error.ts'
import { isOffline, onConnectionChange } from './connection.ts'
import { OWN_LISTS } from './own-queries.ts'

const RETRIES = 2

/**
 * Creates the query client. Reads are retried only where that can help, and refetched on reconnect; writes are never
 * retried. With `networkMode: 'always'` both fail at once while offline. By default the library would queue a write and
 * send it on reconnect, whatever the user has done in the meantime.
 */
export function createQueryClient(): QueryClient {
  // By default, the manager believes whatever the browser reports.
  onlineManager.setEventListener((setOnline) => onConnectionChange(() => setOnline(!isOffline())))
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 5_000,
        retry: (failures, error) => failures < RETRIES && isTemporary(error),
        retryDelay: (failures) => 500 * 2 ** failures,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  // When a page is shown again, `FollowChanges` polls for changes and refetches these only if there are any.
  for (const queryKey of OWN_LISTS) {
    queryClient.setQueryDefaults(queryKey, { refetchOnWindowFocus: false })
  }
  return queryClient
}

function isTemporary(error: Error): boolean {
  return isUnanswered(error) && !isOffline()
}
