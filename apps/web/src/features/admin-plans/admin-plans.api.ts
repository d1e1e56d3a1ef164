import type { AdminEarningsReply } from '@dct/api-contract/earnings'
import type {
  CheckPlanBody,
  CheckPlanReply,
  CreatePlanBody,
  OpenOnChainReply,
  PlanReply,
  PlansReply,
  UpdatePlanBody,
} from '@dct/api-contract/plans'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'

/** All participants of a plan, or only those who joined it today. */
export type Participants = 'all' | 'today'
export const PARTICIPANT_PATHS = {
  all: '/admin/user-earnings',
  today: '/admin/daily-user-earnings',
}

export const planQueries = {
  all: ['admin', 'plans'] as const,
  list: (query: ListQuery) =>
    queryOptions({
      queryKey: [...planQueries.all, 'list', query] as const,
      queryFn: ({ signal }) => api.get<PlansReply>('/admin/earning-plans', { query, signal }),
      select: ({ earning_plans: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
  participants: (which: Participants, query: ListQuery & { earning_plan_code: string }) =>
    queryOptions({
      queryKey: [...planQueries.all, 'participants', which, query] as const,
      queryFn: ({ signal }) =>
        api.get<AdminEarningsReply>(PARTICIPANT_PATHS[which], { query, signal }),
      select: ({ earnings: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
}

/** Checks whether a plan could be created, before the wallet pays for it. */
export function checkPlan(body: CheckPlanBody): Promise<CheckPlanReply> {
  return api.post('/admin/earning-plans/check', body)
}

/** Has the contract fix the terms before they are funded; resolves once that is final. */
export function openOnChain(body: CheckPlanBody): Promise<OpenOnChainReply> {
  return api.post('/admin/earning-plans/open-on-chain', body)
}

/** Creates the plan funded by the transaction `tx_hash`. */
export function createPlan(body: CreatePlanBody): Promise<PlanReply> {
  return api.post('/admin/earning-plans', body)
}

export function updatePlan(body: UpdatePlanBody): Promise<PlanReply> {
  return api.patch('/admin/earning-plans', body)
}
