import { Suspense, useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { feeTexts } from './claim-fees.texts.ts'

const QrCode = lazyPart(async () => (await import('../../shared/ui/qr-code.tsx')).QrCode)

/** A QR code of the receiving address, rendered on request. */
export function AddressQr({ address }: { address: string }) {
  const text = useTexts(feeTexts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="pay-qr small" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{text('showQr')}</summary>
      {isOpen && (
        <Suspense fallback={<span className="skeleton skeleton--block" aria-busy="true" />}>
          <QrCode value={address} label={text('qrLabel', { address })} />
          <p className="soft">{text('qrHint')}</p>
        </Suspense>
      )}
    </details>
  )
}
