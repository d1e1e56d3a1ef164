import type { PendingClaimFee } from '@dct/api-contract/claims'
import { useTexts } from '../../shared/i18n/texts.ts'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Tracker } from '../../shared/ui/tracker.tsx'
import { feeTexts } from './claim-fees.texts.ts'
import { FIRST_STEP, paymentStage, STEPS_DONE } from './payment-stage.ts'

type PaymentTrackerProps = {
  fee: PendingClaimFee
  /** Names the plan above it. */
  hasTitle?: boolean
}

/** The way of a payment, step by step: seen on BSC, final, and the reward in the holder's wallet. */
export function PaymentTracker({ fee, hasTitle = false }: PaymentTrackerProps) {
  const text = useTexts(feeTexts)
  const stage = paymentStage(fee)
  const isSent = stage === 'sent'
  const amount = fee.later_amount
  const payment = fee.tx_hash_usdt ?? fee.hint?.tx_hash
  const steps = [
    { name: text(FIRST_STEP[stage]) },
    {
      name: text('trackSeen'),
      link: payment && <ExplorerValue chain="bsc" kind="transaction" value={payment} />,
    },
    { name: text('trackFinal') },
    {
      name: text(isSent ? 'trackSent' : 'trackSending', { amount }),
      link: isSent && fee.tx_hash_reward && (
        <ExplorerValue chain="tron" kind="transaction" value={fee.tx_hash_reward} />
      ),
    },
  ]
  return (
    <div className="stack stack--tight">
      {hasTitle && <h3 className="fee-card__title">{fee.earning_plan_code}</h3>}
      <Tracker label={text('trackLabel')} steps={steps} done={STEPS_DONE[stage]} />
    </div>
  )
}
