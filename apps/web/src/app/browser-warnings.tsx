import { useLocation } from 'react-router'
import { useTexts } from '../shared/i18n/texts.ts'
import { useSession } from '../shared/session/session.tsx'
import { insecureTexts } from '../shared/storage/storage.texts.ts'
import { UnkeptNotice } from '../shared/storage/unkept-notice.tsx'
import { Notice } from '../shared/ui/notice.tsx'

/** What does not work in this browser, or at this address. */
export function BrowserWarnings() {
  const text = useTexts(insecureTexts)
  const { pathname } = useLocation()
  const { status } = useSession()
  return (
    <>
      {!window.isSecureContext && <Notice tone="warn">{text('sentence')}</Notice>}
      {(status !== 'visitor' || pathname === '/login') && <UnkeptNotice subject="session" />}
    </>
  )
}
