import type { EarningPlan } from '@dct/api-contract/plans'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Term } from '../../shared/glossary/term.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { StepCallout, StepQuestion } from '../../shared/money-step/step-callout.tsx'
import { useOpenSteps } from '../../shared/money-step/use-money-step.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { FieldProblem } from '../../shared/ui/field-problem.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { useErrorToast } from '../../shared/ui/use-error-toast.ts'
import { useWalletPress } from '../../shared/wallet/use-wallet-press.ts'
import { AmountField } from './amount-field.tsx'
import { JoinDetails, KeyFigures } from './join-calculator.tsx'
import { joinStep } from './join-flow.ts'
import { joinQueries } from './join-plan.api.ts'
import { JOIN_WORDING, joinTexts } from './join-plan.texts.ts'
import { JoinReview } from './join-review.tsx'
import { QuotaFigures } from './quota-figures.tsx'
import { useCalculation } from './use-calculator.ts'
import { type JoinProblem, useJoin } from './use-join.ts'
import { type JoinDraft, useJoinDraft } from './use-join-draft.ts'
import { type FormMistake, type JoinOrder, useJoinForm } from './use-join-form.ts'
import './join-plan.css'

/** Choose a plan, see what it yields and costs, and lock the tokens. */
export function JoinPlanPanel() {
  const text = useTexts(joinTexts)
  const plans = useQuery(joinQueries.plans())
  useErrorToast(plans.error, JOIN_WORDING.plansFailed)

  if (plans.data === undefined) {
    return <NotLoaded query={plans}>{text('plansFailed')}</NotLoaded>
  }
  const open = plans.data.filter(({ is_active }) => is_active)
  if (open.length === 0) return <p className="panel empty">{text('noPlans')}</p>
  return (
    <>
      <StaleCallout query={plans} />
      <JoinForm plans={open} />
    </>
  )
}

function JoinForm({ plans }: { plans: readonly EarningPlan[] }) {
  const text = useTexts(joinTexts)
  const [draft, change] = useJoinDraft()
  const plan = plans.find(({ plan_code }) => plan_code === draft.planCode)
  const form = useJoinForm(plan?.plan_code ?? '')
  const { isWaiting, press, drop } = useWalletPress()
  const { ask, isChecking, reviewed, leave, confirm, problem, dismiss, ...rest } = useJoin()
  const { taken, leaveTaken, confirmTaken } = rest
  const open = useOpenSteps(plan && !form.isFollowed ? joinStep(plan.plan_code) : '')
  const calculation = useCalculation(plan, draft.amount)
  const [mistake, setMistake] = useState<FormMistake>()

  /** Applies a change of the input, and drops messages about the previous input. */
  const edit = (changed: Partial<JoinDraft>) => {
    drop()
    setMistake(undefined)
    dismiss()
    change(changed)
  }

  /** Runs the form's checks, and then the action of the pressed button. */
  const checked = (then: (order: JoinOrder) => Promise<unknown>) => {
    void press((owner) => {
      const order = form.check({ plan, amount: draft.amount, owner })
      if ('owner' in order) {
        setMistake(undefined)
        void then(order)
      } else {
        leave()
        setMistake(order)
        toast.warning(order.text)
      }
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    checked((order) => ask(order, calculation !== undefined))
  }
  return (
    <form className="panel join-plan" onSubmit={submit} noValidate>
      {reviewed && calculation && (
        <JoinReview
          order={reviewed}
          calculation={calculation}
          onConfirm={() => checked(confirm)}
          onClose={leave}
        />
      )}
      <div className="stack join-plan__fields">
        <PlanSelect
          plans={plans}
          planCode={plan?.plan_code ?? ''}
          problem={mistake?.field === 'plan' ? mistake.text : undefined}
          onChoose={(planCode) => edit({ planCode })}
        />
        <AmountField
          minimum={form.minimum}
          maximum={form.maximum}
          value={draft.amount}
          problem={mistake?.field === 'amount' ? mistake.text : undefined}
          onChange={(amount) => edit({ amount })}
        />
        {calculation && <KeyFigures calculation={calculation} />}
      </div>
      <div className="stack join-plan__action">
        {problem && <LastProblem problem={problem} />}
        {taken ? (
          <StepQuestion
            chain="tron"
            steps={taken.why.steps}
            mayConfirm={taken.why.mayConfirm}
            confirm={text('joinAgain', { amount: taken.order.amount })}
            onConfirm={(known) => void confirmTaken(known)}
            onLeave={leaveTaken}
          />
        ) : (
          <StepCallout chain="tron" steps={open} />
        )}
        <button
          type="submit"
          className="button button--dct button--wide"
          disabled={form.isFollowed}
          aria-busy={isWaiting || isChecking}
        >
          {form.isFollowed ? JOIN_WORDING.joined : JOIN_WORDING.join}
        </button>
      </div>
      <QuotaFigures plan={plan} />
      <JoinDetails calculation={calculation} />
    </form>
  )
}

type PlanSelectProps = {
  plans: readonly EarningPlan[]
  planCode: string
  problem: string | undefined
  onChoose(planCode: string): void
}

function PlanSelect({ plans, planCode, problem, onChoose }: PlanSelectProps) {
  const text = useTexts(joinTexts)
  const problemId = useId()
  const nameId = useId()
  return (
    <div className="field">
      <span className="field__label" id={nameId}>
        <Term word="plan">{text('plan')}</Term>
      </span>
      <select
        className="input"
        aria-labelledby={nameId}
        value={planCode}
        aria-invalid={problem !== undefined}
        aria-describedby={problemId}
        onChange={(event) => onChoose(event.target.value)}
      >
        <option value="">{text('choosePlan')}</option>
        {plans.map(({ plan_code, name, duration_days, total_percentage }) => (
          <option key={plan_code} value={plan_code}>
            {`${name} - ${duration_days} (${shownPercentage(total_percentage)}%)`}
          </option>
        ))}
      </select>
      <FieldProblem id={problemId} text={problem} />
    </div>
  )
}

/** Stays visible after the toast has closed, because it may name a transaction that the user wants to look up. */
function LastProblem({ problem }: { problem: JoinProblem }) {
  const text = useTexts(joinTexts)
  return (
    <Callout tone="warn">
      <p>{text('lastProblem', { problem: problem.text })}</p>
      {problem.hash && (
        <p>
          <ExplorerValue chain="tron" kind="transaction" value={problem.hash} />
        </p>
      )}
    </Callout>
  )
}
