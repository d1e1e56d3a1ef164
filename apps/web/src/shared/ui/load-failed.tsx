import type { PropsWithChildren } from 'react'
import { Link, useLocation } from 'react-router'
import { useTexts } from '../i18n/texts.ts'
import { QuietButton } from './quiet-button.tsx'
import { uiTexts } from './ui.texts.ts'

const STATUS = '/status'

/** Shown in place of content that failed to load, with a retry button and a link to the service's status. */
export function LoadFailed({ onRetry, children }: PropsWithChildren<{ onRetry(): void }>) {
  const text = useTexts(uiTexts)
  const { pathname } = useLocation()
  return (
    <div className="panel empty stack">
      <p>{children}</p>
      <p>
        <QuietButton onClick={onRetry}>{text('retry')}</QuietButton>
      </p>
      {pathname !== STATUS && (
        <p className="small">
          <Link to={STATUS}>{text('serviceStatus')}</Link>
        </p>
      )}
    </div>
  )
}
