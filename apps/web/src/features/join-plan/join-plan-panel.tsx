import type { EarningPlan } from '@dct/api-contract/plans'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { useErrorToast } from '../../shared/ui/use-error-toast.ts'
import { AmountField } from './amount-field.tsx'
import { JoinCalculator } from './join-calculator.tsx'
import { joinQueries } from './join-plan.api.ts'
import { JOIN_WORDING, joinTexts } from './join-plan.texts.ts'
import { QuotaFigures } from './quota-figures.tsx'
import { type JoinProblem, useJoin } from './use-join.ts'
import { useJoinDraft } from './use-join-draft.ts'
import { useJoinForm } from './use-join-form.ts'
import './join-plan.css'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { StaleNotice } from '../../shared/ui/stale-notice.tsx'

/** Choose a plan, see what it yields and costs, and lock the tokens. */
export function JoinPlanPanel() {
  const text = useTexts(joinTexts)
  const plans = useQuery(joinQueries.plans())
  useErrorToast(plans.error, JOIN_WORDING.plansFailed)

  if (plans.isPending) return <span className="skeleton skeleton--block" aria-busy="true" />
  if (plans.isLoadingError) {
    return <LoadFailed onRetry={() => void plans.refetch()}>{text('plansFailed')}</LoadFailed>
  }
  const open = plans.data.filter(({ is_active }) => is_active)
  if (open.length === 0) return <p className="panel empty">{text('noPlans')}</p>
  return (
    <>
      <StaleNotice query={plans} />
      <JoinForm plans={open} />
    </>
  )
}

function JoinForm({ plans }: { plans: readonly EarningPlan[] }) {
  const [draft, change] = useJoinDraft()
  const plan = plans.find(({ plan_code }) => plan_code === draft.planCode)
  const form = useJoinForm(plan?.plan_code ?? '')
  const { join, problem } = useJoin()

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const order = form.check({ plan, amount: draft.amount })
    if (typeof order === 'string') toast.warning(order)
    else void join(order)
  }
  return (
    <form className="panel join-plan" onSubmit={submit} noValidate>
      <div className="stack join-plan__fields">
        <PlanSelect
          plans={plans}
          planCode={plan?.plan_code ?? ''}
          onChoose={(planCode) => change({ planCode })}
        />
        <QuotaFigures planCode={plan?.plan_code ?? ''} />
        <AmountField
          minimum={form.minimum}
          maximum={form.maximum}
          value={draft.amount}
          onChange={(amount) => change({ amount })}
        />
      </div>
      <JoinCalculator plan={plan} amount={draft.amount} />
      <div className="stack join-plan__action">
        {problem && <LastProblem problem={problem} />}
        <button
          type="submit"
          className="button button--dct button--wide"
          disabled={form.isFollowed}
        >
          {form.isFollowed ? JOIN_WORDING.joined : JOIN_WORDING.join}
        </button>
      </div>
    </form>
  )
}

type PlanSelectProps = {
  plans: readonly EarningPlan[]
  planCode: string
  onChoose(planCode: string): void
}

function PlanSelect({ plans, planCode, onChoose }: PlanSelectProps) {
  const text = useTexts(joinTexts)
  return (
    <label className="field">
      <span className="field__label">{text('plan')}</span>
      <select className="input" value={planCode} onChange={(event) => onChoose(event.target.value)}>
        <option value="">{text('choosePlan')}</option>
        {plans.map(({ plan_code, name, duration_days, total_percentage }) => (
          <option key={plan_code} value={plan_code}>
            {`${name} - ${duration_days} (${shownPercentage(total_percentage)}%)`}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Stays visible after the toast has closed, because it may name a transaction that the user wants to look up. */
function LastProblem({ problem }: { problem: JoinProblem }) {
  const text = useTexts(joinTexts)
  return (
    <Notice tone="warn">
      <p>{text('lastProblem', { problem: problem.text })}</p>
      {problem.hash && (
        <p>
          <ExplorerValue chain="tron" kind="transaction" value={problem.hash} />
        </p>
      )}
    </Notice>
  )
}
