import type {
  MoneyStepEntry,
  MoneyStepsReply,
  ReportStepBody,
  TakeStepBody,
  TakeStepReply,
} from '@dct/api-contract/money-steps'
import { kindOfStep, type MoneyStep, STEP_KINDS } from '@dct/rules/money-steps'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { StepService } from './take-step.ts'

export const stepQueries = {
  all: ['money-steps'] as const,
  /** The steps for one purpose that may still move money, or have. */
  open: (step: string) =>
    queryOptions({
      queryKey: [...stepQueries.all, step] as const,
      queryFn: ({ signal }) => api.get<MoneyStepsReply>(pathOf(step), { query: { step }, signal }),
      select: ({ steps }) => steps.map(readStep),
    }),
}

export const stepService: StepService = {
  async take({ step, attempt, known }) {
    const body: TakeStepBody = { step, attempt, known: [...known] }
    const reply = await api.post<TakeStepReply>(pathOf(step), body)
    if (reply.is_granted) return { kind: 'granted' }
    return { kind: 'taken', mayConfirm: reply.may_confirm, steps: reply.steps.map(readStep) }
  },
  async report({ step, attempt, outcome, hash }) {
    const body: ReportStepBody = { attempt, outcome, ...(hash !== null && { tx_hash: hash }) }
    await api.post(`${pathOf(step)}/report`, body)
  },
}

function readStep({ attempt, asked_at, state, tx_hash: hash }: MoneyStepEntry): MoneyStep {
  return { attempt, state, hash, askedAt: new Date(asked_at).getTime() }
}

/** Holders' steps are their own; admins share theirs. */
function pathOf(step: string): string {
  const kind = kindOfStep(step)
  return kind !== undefined && STEP_KINDS[kind].isShared
    ? '/admin/money-steps'
    : '/user/money-steps'
}
