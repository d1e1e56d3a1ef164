import { useTexts } from '../i18n/texts.ts'
import { isInternalHash } from '../lib/internal-hash.ts'
import { ExplorerValue } from './explorer-value.tsx'
import { uiTexts } from './ui.texts.ts'

/** The Tron transaction that paid out DCT; until it is final there is only the service's internal reference. */
export function PayoutHash({ hash }: { hash: string | null | undefined }) {
  const text = useTexts(uiTexts)
  if (!hash || isInternalHash(hash)) {
    return (
      <span className="soft">
        {text('beingSent')} {hash && <span className="code">({hash})</span>}
      </span>
    )
  }
  return <ExplorerValue chain="tron" kind="transaction" value={hash} />
}
