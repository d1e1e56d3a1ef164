import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { feeTexts } from './claim-fees.texts.ts'

const QrCode = lazy(async () => ({ default: (await import('../../shared/ui/qr-code.tsx')).QrCode }))

/** The receiving address for a phone's camera, drawn when it is asked for. */
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
