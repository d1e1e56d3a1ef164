import { Suspense, useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useSession } from '../../shared/session/session.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { lazyPart } from '../../shared/ui/lazy-part.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { ShareButton } from '../../shared/ui/share-button.tsx'
import { ClaimNow } from './claim-now.tsx'
import { referralTexts } from './referrals.texts.ts'

const QrCode = lazyPart(async () => (await import('../../shared/ui/qr-code.tsx')).QrCode)

/** What can be claimed now, and the user's own referral link to copy, share or show as a QR code. */
export function ReferralLink() {
  const text = useTexts(referralTexts)
  const code = useSession().user?.referral_code
  const [isShown, setShown] = useState(false)
  if (!code) return null
  const link = `${window.location.origin}/register?ref=${code}`
  return (
    <section className="panel" aria-label={text('link')}>
      <ClaimNow />
      <p className="code small referral-link">{link}</p>
      <div className="row">
        <CopyButton value={link} label={text('copyLink')} />
        <ShareButton url={link} />
        <QuietButton onClick={() => setShown(true)}>{text('showQr')}</QuietButton>
      </div>
      {isShown && (
        <Dialog title={text('link')} onClose={() => setShown(false)}>
          <div className="stack">
            <Suspense fallback={<span className="skeleton skeleton--block" aria-busy="true" />}>
              <QrCode value={link} label={text('qrLabel', { link })} />
            </Suspense>
            <p className="code">{link}</p>
          </div>
        </Dialog>
      )}
    </section>
  )
}
