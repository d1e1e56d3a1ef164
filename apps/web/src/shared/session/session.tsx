import type { MeReply } from '@dct/api-contract/auth'
import {
  type QueryClient,
  type QueryKey,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import {
  createContext,
  lazy,
  type PropsWithChildren,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import { isUnanswered } from '../api/api-error.ts'
import { api } from '../api/client.ts'
import type { User } from '../api/wire.ts'
import { keptToasts } from '../ui/kept-toasts.ts'
import { followSession } from './follow-session.ts'
import { tokenStore } from './token-store.ts'

export type Session = (
  | { status: 'loading' | 'visitor'; user: undefined }
  | { status: 'signedIn'; user: User }
) & {
  /** The last session expired or was ended; the user did not log out. */
  hasExpired: boolean
  /** The service does not respond, so it is unknown whether the stored token still identifies a user. */
  isUnanswered: boolean
  signIn(token: string, user: User): void
  /** Removes the token locally and asks the service to end the session; works even without a response. */
  signOut(): void
}

/** Fetched for holders only; without its code, their figures are refreshed as those of others are. */
const FollowChanges = lazy(() =>
  import('./follow-changes.tsx').then(
    ({ FollowChanges }) => ({ default: FollowChanges }),
    () => ({ default: () => null }),
  ),
)

const SessionContext = createContext<Session | undefined>(undefined)
const ASK_AGAIN_MS = 5_000

type Me = Pick<MeReply, 'user'> & Partial<Pick<MeReply, 'change_mark'>>

/** The user whom a token identifies; never stale, because that does not change while the page is open. */
export const sessionQuery = (token: string | null) =>
  queryOptions({
    queryKey: ['session', 'me', token] as const,
    queryFn: ({ signal }) => api.get<Me>('/auth/me', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })

/** Keeps the signed-in user in step with the stored token, across reloads and tabs. */
export function SessionProvider({ children }: PropsWithChildren) {
  const queryClient = useQueryClient()
  const token = useSyncExternalStore(tokenStore.subscribe, tokenStore.get)
  const hasExpired = useSyncExternalStore(tokenStore.subscribe, tokenStore.hasExpired)
  const me = useQuery({
    ...sessionQuery(token),
    enabled: token !== null,
    refetchInterval: ({ state }) => (isUnanswered(state.error) ? ASK_AGAIN_MS : false),
  })

  // A token that no longer identifies a user is useless, so the user becomes a visitor again. Being offline, or no
  // response, proves nothing about the token: the query runs again.
  const isTokenDead = me.isError && !isUnanswered(me.error)
  useEffect(() => {
    if (isTokenDead && token !== null) tokenStore.expire(token)
  }, [isTokenDead, token])

  // The next user must not see any of the previous user's data.
  const lastToken = useRef(token)
  useEffect(() => {
    if (token === null && lastToken.current !== null) forgetPrivateData(queryClient)
    lastToken.current = token
  }, [token, queryClient])
  // Before anything is shown: a browser may suspend the page right after its first paint.
  useLayoutEffect(followSession, [])

  const owner = token !== null ? me.data?.user.tron_address : undefined
  useEffect(() => keptToasts.setOwner(owner), [owner])

  // The server's session expires anyway, so the user need not wait for this call.
  const { mutate: endSession } = useMutation({
    mutationFn: (ending: string) => api.post('/auth/logout', {}, { token: ending }),
  })
  const signOut = useCallback(() => {
    const ending = tokenStore.get()
    if (ending === null) return
    tokenStore.remove()
    endSession(ending)
  }, [endSession])

  const signIn = useCallback(
    (newToken: string, user: User) => {
      forgetPrivateData(queryClient)
      queryClient.setQueryData(sessionQuery(newToken).queryKey, { user })
      tokenStore.set(newToken)
    },
    [queryClient],
  )

  const user = token !== null && !isTokenDead ? me.data?.user : undefined
  const isLoading = token !== null && !isTokenDead && user === undefined
  const session = useMemo<Session>(() => {
    const rest = { hasExpired, isUnanswered: me.isError && isLoading, signIn, signOut }
    if (user) return { status: 'signedIn', user, ...rest }
    return { status: isLoading ? 'loading' : 'visitor', user: undefined, ...rest }
  }, [user, isLoading, me.isError, hasExpired, signIn, signOut])

  return (
    <SessionContext value={session}>
      {children}
      {token !== null && me.data?.user.role === 'user' && (
        <Suspense>
          <FollowChanges token={token} known={me.data.change_mark ?? undefined} />
        </Suspense>
      )}
    </SessionContext>
  )
}

/** Removes unused queries and resets those in use: components would receive no more updates from a removed query. */
function forgetPrivateData(queryClient: QueryClient): void {
  const predicate = ({ queryKey }: { queryKey: QueryKey }) => queryKey[0] !== 'config'
  queryClient.removeQueries({ predicate, type: 'inactive' })
  void queryClient.resetQueries({ predicate, type: 'active' })
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession needs a SessionProvider')
  return session
}
