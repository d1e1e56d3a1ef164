import type { ChangesReply } from '@dct/api-contract/changes'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { OWN_QUERIES } from '../api/own-queries.ts'
import { clock } from '../clock.ts'
import { tokenStore } from './token-store.ts'

/** The pause after a request that failed, or that the service answered at once instead of holding it open. */
const ASK_EVERY_MS = 10_000
const WAS_HELD_MS = 2_000
const PAUSE_MS = 250
/** Spreads the refetching of data that changes for many holders at once. */
const SPREAD_MS = 30_000

type Holder = {
  token: string
  /** The mark from before the page requested any figures. */
  known: string | undefined
}
type Followed = { mark: string | undefined; pauseMs: number }

/**
 * Long-polls the service for changes of the holder's data, and refetches what the page shows when there are any. A
 * hidden page pauses, and polls again as soon as it is shown. Renders nothing.
 */
export function FollowChanges({ token, known }: Holder): null {
  const queryClient = useQueryClient()
  const queryKey = ['changes', token]
  useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      // The session may have ended since this was rendered; the next request that needs it detects that.
      if (tokenStore.get() !== token) return { mark: undefined, pauseMs: ASK_EVERY_MS }
      const since = queryClient.getQueryData<Followed>(queryKey)?.mark ?? known
      return follow(queryClient, since, signal)
    },
    refetchInterval: ({ state }) =>
      state.status === 'error' ? ASK_EVERY_MS : (state.data?.pauseMs ?? ASK_EVERY_MS),
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    staleTime: 0,
    retry: false,
    // No component renders the result.
    notifyOnChangeProps: [],
  })
  return null
}

async function follow(
  queryClient: QueryClient,
  since: string | undefined,
  signal: AbortSignal,
): Promise<Followed> {
  const askedAt = clock.now().getTime()
  const query = since === undefined ? {} : { since }
  const changes = await api.get<ChangesReply | undefined>('/user/changes', { query, signal })
  if (changes === undefined) {
    const wasHeld = clock.now().getTime() - askedAt >= WAS_HELD_MS
    return { mark: since, pauseMs: wasHeld ? PAUSE_MS : ASK_EVERY_MS }
  }
  const refetch = () => {
    for (const queryKey of OWN_QUERIES) void queryClient.invalidateQueries({ queryKey })
  }
  if (changes.is_own) refetch()
  else setTimeout(refetch, Math.random() * SPREAD_MS)
  return { mark: changes.mark, pauseMs: PAUSE_MS }
}
