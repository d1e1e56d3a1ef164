import type { PendingClaimFee } from '@dct/api-contract/claims'
import { useTexts } from '../../shared/i18n/texts.ts'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { feeTexts } from './claim-fees.texts.ts'

/** The state of a payment whose hash was submitted, or that arrived with a different amount. */
export function PaymentNews({ fee }: { fee: PendingClaimFee }) {
  const text = useTexts(feeTexts)
  const { hint, mismatch } = fee
  return (
    <>
      {hint && (
        <Notice tone={hint.problem_code === null ? 'info' : 'bad'}>
          <p>{hint.is_checking ? text('checking') : hint.message}</p>
          <p>
            <ExplorerValue chain="bsc" kind="transaction" value={hint.tx_hash} />
          </p>
        </Notice>
      )}
      {mismatch && (
        <Notice tone="warn">
          <p>{mismatch.message}</p>
          <p>
            <ExplorerValue chain="bsc" kind="transaction" value={mismatch.tx_hash} />
          </p>
        </Notice>
      )}
    </>
  )
}
