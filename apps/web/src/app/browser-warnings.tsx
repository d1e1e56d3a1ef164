import { useLocation } from 'react-router'
import { useTexts } from '../shared/i18n/texts.ts'
import { useSession } from '../shared/session/session.tsx'
import { insecureTexts } from '../shared/storage/storage.texts.ts'
import { UnkeptCallout } from '../shared/storage/unkept-callout.tsx'
import { Callout } from '../shared/ui/callout.tsx'

/** What does not work in this browser, or at this address. */
export function BrowserWarnings() {
  const text = useTexts(insecureTexts)
  const { pathname } = useLocation()
  const { status } = useSession()
  return (
    <>
      {!window.isSecureContext && <Callout tone="warn">{text('sentence')}</Callout>}
      {(status !== 'visitor' || pathname === '/login') && <UnkeptCallout subject="session" />}
    </>
  )
}
