import { formatUnits } from '@dct/money'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDate } from '../../shared/lib/date.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Figure, KeyFigures } from './join-calculator.tsx'
import { joinTexts } from './join-plan.texts.ts'
import type { Calculation } from './use-calculator.ts'
import type { JoinOrder } from './use-join-form.ts'

type JoinReviewProps = {
  order: JoinOrder
  calculation: Calculation
  onConfirm(): void
  onClose(): void
}

/** The final review before the wallet opens: what is locked, until when, and what cannot be undone. */
export function JoinReview({ order, calculation, onConfirm, onClose }: JoinReviewProps) {
  const text = useTexts(joinTexts)
  const { outcome, dctDecimals, cycles, graceCycles } = calculation
  const locked = formatUnits(calculation.amount, dctDecimals)
  const day = shownDate(outcome.capitalReturns)
  return (
    <Dialog title={text('reviewTitle', { plan: order.plan.plan_code })} onClose={onClose}>
      <dl className="join-calculator__figures">
        <Figure name={text('reviewLock')}>
          <Amount value={locked} unit="DCT" />
        </Figure>
        <Figure name={text('reviewDays')}>
          <span>{text('reviewDaysValue', { days: cycles })}</span>
        </Figure>
      </dl>
      <KeyFigures calculation={calculation} />
      <Notice tone="warn">
        <p>{text('reviewFinal', { amount: locked, day })}</p>
      </Notice>
      <ul className="join-calculator__notes">
        <li>
          {text('calcFreeze', {
            cycles: outcome.freezeAfter,
            grace: graceCycles,
            daily: formatUnits(outcome.dailyReward, dctDecimals),
          })}
        </li>
        <li>{text('reviewWallet', { amount: order.amount, base: `${calculation.amount}` })}</li>
      </ul>
      <div className="dialog__actions">
        <CancelButton>{text('reviewBack')}</CancelButton>
        <button type="button" className="button button--dct" onClick={onConfirm}>
          {text('reviewConfirm', { amount: order.amount })}
        </button>
      </div>
    </Dialog>
  )
}
