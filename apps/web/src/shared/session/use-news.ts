import type { NewsReply } from '@dct/api-contract/news'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { OWN_QUERIES } from '../api/own-queries.ts'
import { clock } from '../clock.ts'
import { tokenStore } from './token-store.ts'

/** The service holds a question back; one that it does not hold, or that fails, is not repeated sooner than this. */
const ASK_EVERY_MS = 10_000
const WAS_HELD_MS = 2_000
const PAUSE_MS = 250
/** What changes for many holders at once is not fetched by all of their pages at the same moment. */
const SPREAD_MS = 30_000

type Followed = { mark: string | undefined; pauseMs: number }

/**
 * Asks the service, one question after the other, whether anything of the holder has changed, and refetches what is on the
 * page when it has. A hidden page asks nothing, and asks as soon as it is shown again.
 * @param known the mark from before the page asked for any figures
 */
export function useNews(holder: { token: string; known: string | undefined } | undefined): void {
  const queryClient = useQueryClient()
  const queryKey = ['news', holder?.token]
  useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      // The session may have ended since this was rendered; whoever asks for it next finds that out.
      if (tokenStore.get() !== holder?.token) return { mark: undefined, pauseMs: ASK_EVERY_MS }
      const since = queryClient.getQueryData<Followed>(queryKey)?.mark ?? holder?.known
      return follow(queryClient, since, signal)
    },
    enabled: holder !== undefined,
    refetchInterval: ({ state }) =>
      state.status === 'error' ? ASK_EVERY_MS : (state.data?.pauseMs ?? ASK_EVERY_MS),
    refetchOnWindowFocus: 'always',
    refetchOnReconnect: 'always',
    staleTime: 0,
    retry: false,
    // Nobody renders it.
    notifyOnChangeProps: [],
  })
}

async function follow(
  queryClient: QueryClient,
  since: string | undefined,
  signal: AbortSignal,
): Promise<Followed> {
  const askedAt = clock.now().getTime()
  const query = since === undefined ? {} : { since }
  const news = await api.get<NewsReply | undefined>('/user/news', { query, signal })
  if (news === undefined) {
    const wasHeld = clock.now().getTime() - askedAt >= WAS_HELD_MS
    return { mark: since, pauseMs: wasHeld ? PAUSE_MS : ASK_EVERY_MS }
  }
  const refetch = () => {
    for (const queryKey of OWN_QUERIES) void queryClient.invalidateQueries({ queryKey })
  }
  if (news.is_own) refetch()
  else setTimeout(refetch, Math.random() * SPREAD_MS)
  return { mark: news.mark, pauseMs: PAUSE_MS }
}
