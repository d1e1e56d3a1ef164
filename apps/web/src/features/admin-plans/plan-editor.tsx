import type { EarningPlan } from '@dct/api-contract/plans'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { decimalProblem } from '../../shared/lib/decimal.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { StepQuestion } from '../../shared/money-step/step-callout.tsx'
import { Amount } from '../../shared/ui/amount.tsx'
import { CheckedField } from '../../shared/ui/checked-field.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import type { PlanBody } from './add-plan-flow.ts'
import { planQueries, updatePlan } from './admin-plans.api.ts'
import { PLAN_REFUSALS, planTexts } from './admin-plans.texts.ts'
import { EMPTY_FORM, formOf, maxTokenOf, type PlanForm, readPlanForm, UNITS } from './plan-form.ts'
import { PlanReview } from './plan-review.tsx'
import { useAddPlan } from './use-add-plan.ts'

type PlanEditorProps = {
  /** Undefined for a new plan. */
  plan: EarningPlan | undefined
  onClose(): void
}

/** A plan's form. On-chain terms can be entered only for a new plan. */
export function PlanEditor({ plan, onClose }: PlanEditorProps) {
  const text = useTexts(planTexts)
  const titleId = useId()
  const [form, setForm] = useState<PlanForm>(plan === undefined ? EMPTY_FORM : formOf(plan))
  const { save, isBusy, reviewed, leave, create, ...rest } = useSave(plan, onClose)
  const { taken, leaveTaken, createAgain, finishWith } = rest
  const fundedElsewhere = taken?.steps.flatMap(({ hash }) => hash ?? []) ?? []
  const decimals = usePublicConfig()?.tron.token_decimals
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    title.current?.focus()
    title.current?.scrollIntoView({ block: 'center' })
  }, [])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) save(form)
  }
  const isFixed = plan !== undefined
  const change = (part: Partial<PlanForm>) => setForm({ ...form, ...part })
  const maxToken =
    plan?.max_token_allowed ?? (decimals === undefined ? undefined : maxTokenOf(form, decimals))
  return (
    <form className="panel" noValidate aria-labelledby={titleId} onSubmit={submit}>
      {reviewed && <PlanReview plan={reviewed} onConfirm={create} onClose={leave} />}
      <h2 id={titleId} ref={title} tabIndex={-1}>
        {plan === undefined ? text('addTitle') : text('editTitle', { plan: plan.plan_code })}
      </h2>
      {isFixed && <p className="soft">{text('locked')}</p>}
      <div className="plan-form">
        <CheckedField
          label={text('planCode')}
          hint={isFixed ? undefined : text('planCodeHint')}
          value={form.planCode}
          disabled={isFixed}
          onType={(planCode) => change({ planCode })}
        />
        <CheckedField label={text('name')} value={form.name} onType={(name) => change({ name })} />
        <CheckedField
          label={text('totalReward')}
          hint={isFixed ? undefined : text('totalRewardHint')}
          value={form.totalReward}
          disabled={isFixed}
          inputMode="decimal"
          onType={(totalReward) => change({ totalReward })}
        />
        <CheckedField
          label={text('duration')}
          value={form.durationDays}
          disabled={isFixed}
          inputMode="decimal"
          onType={(durationDays) => change({ durationDays })}
        />
        <CheckedField
          label={text('percentage')}
          hint={text('percentageHint')}
          value={form.totalPercentage}
          disabled={isFixed}
          inputMode="decimal"
          onType={(totalPercentage) => change({ totalPercentage })}
        />
        <CheckedField
          label={text('dailyLimit')}
          hint={text('dailyLimitHint')}
          value={form.dailyLimit}
          inputMode="decimal"
          onType={(dailyLimit) => change({ dailyLimit })}
        />
      </div>
      <dl className="facts">
        <Fact term={text('maxToken')}>
          <Amount value={maxToken} unit="DCT" />
        </Fact>
      </dl>
      <CheckField
        isChecked={form.isAccumulating}
        onChange={(isAccumulating) => change({ isAccumulating })}
      >
        {text('accumulation')}
      </CheckField>
      <CheckField isChecked={form.isActive} onChange={(isActive) => change({ isActive })}>
        {text('active')}
      </CheckField>
      {taken && (
        <StepQuestion
          chain="tron"
          steps={taken.steps}
          mayConfirm={taken.mayConfirm}
          confirm={text('fundAgain')}
          onConfirm={createAgain}
          onLeave={leaveTaken}
        />
      )}
      {fundedElsewhere.map((hash) => (
        <p key={hash} className="row">
          <QuietButton onClick={() => finishWith(hash)}>{text('useFunding')}</QuietButton>
          <ExplorerValue chain="tron" kind="transaction" value={hash} />
        </p>
      ))}
      <div className="row">
        <button type="submit" className="button button--dct" disabled={isBusy}>
          {text(isFixed ? 'save' : 'fundAndCreate')}
        </button>
        <button type="button" className="button button--quiet" onClick={onClose}>
          {text('cancel')}
        </button>
      </div>
    </form>
  )
}

/** Reads the form and saves it: an existing plan by an API call, a new one through the wallet and after a review. */
function useSave(plan: EarningPlan | undefined, onSaved: () => void) {
  const text = useTexts(planTexts)
  const { isWaiting, check, add, finish, taken, leaveTaken } = useAddPlan()
  const [isAdding, setIsAdding] = useState(false)
  const [reviewed, setReviewed] = useState<PlanBody>()
  const queryClient = useQueryClient()
  const update = useAction({
    mutationFn: updatePlan,
    onSuccess: async ({ message }) => {
      await queryClient.invalidateQueries({ queryKey: planQueries.all })
      toast.success(message)
      onSaved()
    },
    onError: (error) => toast.error(errorText(error, text('updateFailed'))),
  })
  const labels = {
    totalReward: text('totalReward'),
    durationDays: text('duration'),
    totalPercentage: text('percentage'),
    dailyLimit: text('dailyLimit'),
  }
  const save = (form: PlanForm) => {
    const read = readPlanForm(form)
    if ('problem' in read) {
      const { problem } = read
      return void toast.error(
        problem === 'incomplete'
          ? PLAN_REFUSALS.incomplete
          : (decimalProblem(form[problem], UNITS[problem]) ??
              text('notNumber', { field: labels[problem] })),
      )
    }
    if (plan !== undefined) {
      const { plan_code, name, daily_limit, is_accumulation_active, is_active } = read.body
      return update.mutate({ plan_code, name, daily_limit, is_accumulation_active, is_active })
    }
    void check(read.body, () => setReviewed(read.body))
  }
  const leave = () => setReviewed(undefined)
  const [adding, setAdding] = useState<PlanBody>()
  const create = async (body: PlanBody | undefined, known: readonly string[]) => {
    if (body === undefined) return
    leave()
    setAdding(body)
    setIsAdding(true)
    const isCreated = await add(body, known)
    setIsAdding(false)
    if (isCreated) onSaved()
  }
  const finishWith = async (hash: string) => {
    if (adding === undefined) return
    setIsAdding(true)
    const isCreated = await finish({ ...adding, tx_hash: hash })
    setIsAdding(false)
    if (isCreated) onSaved()
  }
  return {
    ...{ save, isBusy: isWaiting || isAdding || update.isPending, reviewed, leave },
    create: () => void create(reviewed, []),
    createAgain: (known: readonly string[]) => void create(adding, known),
    finishWith: (hash: string) => void finishWith(hash),
    ...{ taken, leaveTaken },
  }
}

type CheckFieldProps = { isChecked: boolean; onChange(value: boolean): void; children: ReactNode }

function CheckField({ isChecked, onChange, children }: CheckFieldProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{children}</span>
    </label>
  )
}
