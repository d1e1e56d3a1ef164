import { DECIMALS, formatUnits } from '@dct/money'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownDate } from '../../shared/lib/date.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { Figure, ShortTime } from './join-calculator.tsx'
import { joinTexts } from './join-plan.texts.ts'
import type { Calculation } from './use-calculator.ts'
import type { JoinOrder } from './use-join-form.ts'

type JoinReviewProps = {
  order: JoinOrder
  calculation: Calculation
  onConfirm(): void
  onClose(): void
}

/** The final review before the wallet opens: what is locked and earned, until when, and what cannot be undone. */
export function JoinReview({ order, calculation, onConfirm, onClose }: JoinReviewProps) {
  const text = useTexts(joinTexts)
  const { outcome, dctDecimals, cycles, graceCycles } = calculation
  const locked = formatUnits(calculation.amount, dctDecimals)
  const { money } = outcome
  return (
    <Dialog title={text('reviewTitle', { plan: order.plan.plan_code })} onClose={onClose}>
      <dl className="join-calculator__figures">
        <Figure name={text('reviewLock')} isMain>
          <Amount value={locked} unit="DCT" />
        </Figure>
        <Figure name={text('reviewEarn')}>
          <Amount value={formatUnits(outcome.reward, dctDecimals)} unit="DCT" />
        </Figure>
        {money && (
          <Figure name={text('calcFees')}>
            <Amount value={formatUnits(money.fees, DECIMALS.USDT)} unit="USDT" />
          </Figure>
        )}
        <Figure name={text('reviewReturned', { days: cycles })}>
          <DateTime value={outcome.capitalReturns} />
        </Figure>
      </dl>
      <ShortTime calculation={calculation} />
      <p>
        <strong>{text('reviewFinal', { day: shownDate(outcome.capitalReturns) })}</strong>{' '}
        {text('reviewClaim', { days: outcome.freezeAfter, grace: graceCycles })}
      </p>
      <div className="dialog__actions">
        <CancelButton>{text('reviewBack')}</CancelButton>
        <button type="button" className="button button--dct" onClick={onConfirm}>
          {text('reviewConfirm', { amount: order.amount })}
        </button>
      </div>
    </Dialog>
  )
}
