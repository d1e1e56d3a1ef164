import type { PendingClaimFee } from '@dct/api-contract/claims'
import { refusalText } from '../../shared/i18n/refusals.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { compareDecimals } from '../../shared/lib/decimal.ts'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { feeTexts } from './claim-fees.texts.ts'
import { problemText } from './problem-text.ts'

type Mismatch = NonNullable<PendingClaimFee['mismatch']>

/** The state of a payment whose hash was submitted, or that arrived with a different amount. */
export function PaymentNews({ fee }: { fee: PendingClaimFee }) {
  const text = useTexts(feeTexts)
  const { hint, mismatch } = fee
  return (
    <>
      {hint && (
        <Notice tone={hint.problem_code === null ? 'info' : 'bad'}>
          <p>{hint.is_checking ? text('checking') : problemText(hint)}</p>
          <p>
            <ExplorerValue chain="bsc" kind="transaction" value={hint.tx_hash} />
          </p>
        </Notice>
      )}
      {mismatch && (
        <Notice tone="warn">
          <p>{mismatchText(mismatch)}</p>
          <p>
            <ExplorerValue chain="bsc" kind="transaction" value={mismatch.tx_hash} />
          </p>
        </Notice>
      )}
    </>
  )
}

function mismatchText({ received_usdt, expected_usdt, message }: Mismatch): string {
  const isTooMuch = compareDecimals(received_usdt, expected_usdt) > 0
  return refusalText(isTooMuch ? 'PAYMENT_TOO_MUCH' : 'PAYMENT_TOO_LITTLE', message)
}
