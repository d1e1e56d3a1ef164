import type { PendingClaimFee } from '@dct/api-contract/claims'
import { StepCallout } from '../../shared/money-step/step-callout.tsx'
import { useOpenSteps } from '../../shared/money-step/use-money-step.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { MismatchCallout } from './mismatch-callout.tsx'
import { feeStep } from './pay-fee.ts'
import { problemText } from './problem-text.ts'

/** Why a payment whose hash was submitted settles nothing, or that one arrived with a different amount. */
export function PaymentCallouts({ fee }: { fee: PendingClaimFee }) {
  const { hint } = fee
  const open = useOpenSteps(feeStep(fee)).filter(({ hash }) => hash === null || !isSame(hash, hint))
  return (
    <>
      <StepCallout chain="bsc" steps={open} />
      {hint && !hint.is_checking && (
        <Callout tone={hint.problem_code === null ? 'info' : 'bad'}>
          <p>{problemText(hint)}</p>
          <p>
            <ExplorerValue chain="bsc" kind="transaction" value={hint.tx_hash} />
          </p>
        </Callout>
      )}
      <MismatchCallout fee={fee} />
    </>
  )
}

function isSame(hash: string, hint: PendingClaimFee['hint']): boolean {
  return hint?.tx_hash.toLowerCase() === hash.toLowerCase()
}
