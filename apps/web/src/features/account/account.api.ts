import type { MeReply, SessionsReply } from '@dct/api-contract/auth'
import type { MessageReply } from '@dct/api-contract/common'
import type { PlanListReply } from '@dct/api-contract/plans'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'

export const accountQueries = {
  profile: queryOptions({
    queryKey: ['account', 'profile'] as const,
    queryFn: ({ signal }) => api.get<MeReply>('/auth/me', { signal }),
    select: ({ user }) => user,
    staleTime: 0,
  }),
  sessions: queryOptions({
    queryKey: ['account', 'sessions'] as const,
    queryFn: ({ signal }) => api.get<SessionsReply>('/auth/sessions', { signal }),
    select: ({ sessions }) => sessions,
  }),
  planCodes: queryOptions({
    queryKey: ['account', 'plan-codes'] as const,
    queryFn: ({ signal }) => api.get<PlanListReply>('/user/earning-plan-lists', { signal }),
    select: ({ earning_plans }) => earning_plans.map(({ plan_code }) => plan_code),
  }),
}

/** Ends all of the account's sessions, including this one. */
export function endAllSessions(): Promise<MessageReply> {
  return api.delete('/auth/sessions')
}

/** Ends one of the account's other sessions. */
export function endSession(id: string): Promise<MessageReply> {
  return api.delete(`/auth/sessions/${encodeURIComponent(id)}`)
}
