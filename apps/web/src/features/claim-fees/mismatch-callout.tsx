import type { PendingClaimFee } from '@dct/api-contract/claims'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { feeTexts } from './claim-fees.texts.ts'

/** The payments for a fee that did not settle it, until an admin has assigned them or sent them back. */
export function MismatchCallout({ fee: { mismatch, is_paid } }: { fee: PendingClaimFee }) {
  const text = useTexts(feeTexts)
  const email = usePublicConfig()?.support_email ?? UNKNOWN
  if (mismatch === null) return null
  const { received_usdt: received, expected_usdt: expected } = mismatch
  return (
    <Callout tone="warn">
      <p>{text(is_paid ? 'secondPayment' : 'wrongAmount', { received, expected, email })}</p>
      <p>
        <ExplorerValue chain="bsc" kind="transaction" value={mismatch.tx_hash} />
      </p>
      {mismatch.earlier.map(({ tx_hash, received_usdt }) => (
        <p key={tx_hash}>
          {text('alsoArrived', { received: received_usdt })}{' '}
          <ExplorerValue chain="bsc" kind="transaction" value={tx_hash} />
        </p>
      ))}
    </Callout>
  )
}
