import { lazy, Suspense } from 'react'
import { lastAnswerAt } from '../shared/api/client.ts'
import { useIsOffline } from '../shared/api/connection.ts'
import { useTexts } from '../shared/i18n/texts.ts'
import { formatDate } from '../shared/lib/date.ts'
import { Callout } from '../shared/ui/callout.tsx'
import { frameTexts } from './frame.texts.ts'

/** By then even a slow phone shows its figures; earlier, caching the app's files would compete with them. */
const QUIET_AFTER_MS = 5_000

const InstalledApp = lazy(async () => {
  await new Promise((resolve) => setTimeout(resolve, QUIET_AFTER_MS))
  // Pages work without it.
  return import('./installed/installed-app.tsx').then(
    ({ InstalledApp }) => ({ default: InstalledApp }),
    () => ({ default: () => null }),
  )
})

/** Shows on every page that the connection is lost, how old the figures are, and that nothing can be sent. */
export function OfflineBanner() {
  const text = useTexts(frameTexts)
  const isOffline = useIsOffline()
  const time = formatDate(lastAnswerAt()?.toISOString() ?? '')
  return (
    <div className="offline-banner" role="status">
      {isOffline && (
        <Callout tone="warn">
          <p>
            <b>{text('offline')}</b> {time !== undefined && text('offlineSince', { time })}{' '}
            {text('offlineUnsent')}
          </p>
        </Callout>
      )}
      <Suspense>
        <InstalledApp />
      </Suspense>
    </div>
  )
}
