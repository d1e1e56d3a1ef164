import type { PendingClaimFee } from '@dct/api-contract/claims'
import { useId, useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { CancelClaim } from './cancel-claim.tsx'
import { FEE_WORDING, feeTexts } from './claim-fees.texts.ts'
import { HowToPayDialog } from './how-to-pay-dialog.tsx'
import { PayBy } from './pay-by.tsx'
import { PaymentCallouts } from './payment-callouts.tsx'
import { PaymentTracker } from './payment-tracker.tsx'
import { useHandInSent } from './use-hand-in-sent.ts'
import { WhyFee } from './why-fee.tsx'

/** A fee waiting for its payment, and how far a payment of it has come. */
export function OpenFeeCard({ fee, onPay }: { fee: PendingClaimFee; onPay(): void }) {
  const text = useTexts(feeTexts)
  const headingId = useId()
  const [isAsking, setIsAsking] = useState(false)
  useHandInSent(fee)
  // An admin assigns the payment that arrived, which cancelling the claim would interfere with. Paying stays possible: a
  // payment of another amount may be a stranger's.
  const hasArrived = fee.mismatch !== null
  const isChecked = fee.hint?.is_checking === true
  return (
    <article className="fee-card" aria-labelledby={headingId}>
      <header className="row">
        <h3 className="fee-card__title" id={headingId}>
          {fee.earning_plan_code}
        </h3>
        <span className="badge" data-kind="name">
          {fee.claim_type}
        </span>
      </header>
      <dl className="facts fee-card__facts">
        <Fact term={text('totalClaim')}>
          <Amount value={fee.pending_token_amount} unit="DCT" />
        </Fact>
        <Fact term={text('feeDct')}>
          <Amount value={fee.unpaid_fee} unit="DCT" />
        </Fact>
        <Fact term={text('feeUsdt')} className="fee-card__due">
          <Amount value={fee.unpaid_fee_usdt} unit="USDT" />
        </Fact>
      </dl>
      <PaymentCallouts fee={fee} />
      {isChecked && <PaymentTracker fee={fee} />}
      <div className="row">
        <button
          type="button"
          className={`button ${isChecked || hasArrived ? 'button--quiet' : 'button--usdt'}`}
          onClick={onPay}
        >
          {FEE_WORDING.payNow}
        </button>
        <button type="button" className="button button--quiet" onClick={() => setIsAsking(true)}>
          {FEE_WORDING.howToPay}
        </button>
        {!hasArrived && <CancelClaim fee={fee} />}
      </div>
      {!isChecked && <PayBy fee={fee} />}
      <WhyFee fee={fee} />
      {isAsking && <HowToPayDialog onClose={() => setIsAsking(false)} />}
    </article>
  )
}
