import type { PendingClaimFee } from '@dct/api-contract/claims'
import { useId, useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { CancelClaim } from './cancel-claim.tsx'
import { FEE_WORDING, feeTexts } from './claim-fees.texts.ts'
import { HowToPayDialog } from './how-to-pay-dialog.tsx'
import { PayBy } from './pay-by.tsx'
import { PayDialog } from './pay-dialog.tsx'
import { PaymentNews } from './payment-news.tsx'
import { useHandInSent } from './use-hand-in-sent.ts'
import { WhyFee } from './why-fee.tsx'

/** A fee waiting for its payment. */
export function OpenFeeCard({ fee }: { fee: PendingClaimFee }) {
  const text = useTexts(feeTexts)
  const headingId = useId()
  const [open, setOpen] = useState<'pay' | 'how'>()
  const close = () => setOpen(undefined)
  useHandInSent(fee)
  // An admin assigns the payment that arrived; paying again or cancelling the claim now would interfere with that.
  const isSent = fee.mismatch !== null
  return (
    <article className="fee-card" aria-labelledby={headingId}>
      <header className="row">
        <h4 id={headingId}>{fee.earning_plan_code}</h4>
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
      <WhyFee fee={fee} />
      <PaymentNews fee={fee} />
      <div className="row">
        <button
          type="button"
          className={`button ${isSent ? 'button--quiet' : 'button--usdt'}`}
          onClick={() => setOpen('pay')}
        >
          {FEE_WORDING.payNow}
        </button>
        <button type="button" className="button button--quiet" onClick={() => setOpen('how')}>
          {FEE_WORDING.howToPay}
        </button>
        {!isSent && <CancelClaim fee={fee} />}
      </div>
      <PayBy fee={fee} />
      {open === 'pay' && <PayDialog fee={fee} onClose={close} />}
      {open === 'how' && <HowToPayDialog onClose={close} />}
    </article>
  )
}
