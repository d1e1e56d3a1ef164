import type { PendingClaimFee } from '@dct/api-contract/claims'
import { StepNotice } from '../../shared/money-step/step-notice.tsx'
import { useOpenSteps } from '../../shared/money-step/use-money-step.ts'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { MismatchNotice } from './mismatch-notice.tsx'
import { feeStep } from './pay-fee.ts'
import { problemText } from './problem-text.ts'

/** Why a payment whose hash was submitted settles nothing, or that one arrived with a different amount. */
export function PaymentNews({ fee }: { fee: PendingClaimFee }) {
  const { hint } = fee
  const open = useOpenSteps(feeStep(fee)).filter(({ hash }) => hash === null || !isSame(hash, hint))
  return (
    <>
      <StepNotice chain="bsc" steps={open} />
      {hint && !hint.is_checking && (
        <Notice tone={hint.problem_code === null ? 'info' : 'bad'}>
          <p>{problemText(hint)}</p>
          <p>
            <ExplorerValue chain="bsc" kind="transaction" value={hint.tx_hash} />
          </p>
        </Notice>
      )}
      <MismatchNotice fee={fee} />
    </>
  )
}

function isSame(hash: string, hint: PendingClaimFee['hint']): boolean {
  return hint?.tx_hash.toLowerCase() === hash.toLowerCase()
}
