import { useTexts } from '../../shared/i18n/texts.ts'
import { toFixedDecimal } from '../../shared/lib/decimal.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import type { PlanBody } from './add-plan-flow.ts'
import { PLAN_WORDING, planTexts } from './admin-plans.texts.ts'

type PlanReviewProps = { plan: PlanBody; onConfirm(): void; onClose(): void }

/** The final review of a new plan before the wallet funds it: its terms, and what cannot be changed afterwards. */
export function PlanReview({ plan, onConfirm, onClose }: PlanReviewProps) {
  const text = useTexts(planTexts)
  const amount = toFixedDecimal(`${plan.total_reward}`, 6) ?? ''
  const percentage = shownPercentage(`${plan.total_percentage}`)
  return (
    <Dialog title={text('reviewTitle', { plan: plan.plan_code })} onClose={onClose}>
      <dl className="facts">
        <Fact term={text('planCode')}>{plan.plan_code}</Fact>
        <Fact term={text('name')}>{plan.name}</Fact>
        <Fact term={text('totalReward')}>
          <Amount value={`${plan.total_reward}`} unit="DCT" />
        </Fact>
        <Fact term={text('duration')}>{plan.duration_days}</Fact>
        <Fact term={text('percentage')}>{percentage}%</Fact>
        <Fact term={text('dailyLimit')}>
          <Amount value={`${plan.daily_limit}`} unit="DCT" />
        </Fact>
        <Fact term={text('reviewAccumulation')}>{yesOrNo(plan.is_accumulation_active)}</Fact>
        <Fact term={text('reviewActive')}>{yesOrNo(plan.is_active)}</Fact>
      </dl>
      <Callout tone="warn">
        <p>{text('reviewFinal', { amount })}</p>
      </Callout>
      <p className="soft small">{text('reviewWallet')}</p>
      <div className="dialog__actions">
        <CancelButton>{text('reviewBack')}</CancelButton>
        <button type="button" className="button button--dct" onClick={onConfirm}>
          {text('reviewConfirm', { amount })}
        </button>
      </div>
    </Dialog>
  )
}

function yesOrNo(value: boolean): string {
  return value ? PLAN_WORDING.yes : PLAN_WORDING.no
}
