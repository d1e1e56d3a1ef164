import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useIsOffline } from '../../shared/api/connection.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useSession } from '../../shared/session/session.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { installedAppTexts } from './installed-app.texts.ts'
import { startServiceWorker } from './service-worker.ts'

/**
 * What makes the site an app: opening without a connection, new versions, the number at its icon. Shows that the service
 * does not answer, or that reloading opens a newer version.
 */
export function InstalledApp() {
  const text = useTexts(installedAppTexts)
  const queryClient = useQueryClient()
  const [isOutdated, setIsOutdated] = useState(false)
  const { isUnanswered } = useSession()
  const isOffline = useIsOffline()

  useEffect(() => {
    // Pages do without them, for example in a private window.
    startServiceWorker(() => setIsOutdated(true)).catch(() => undefined)
    // Without it the icon has no number.
    if ('setAppBadge' in navigator) startBadge(queryClient).catch(() => undefined)
  }, [queryClient])

  if (isOffline || !(isUnanswered || isOutdated)) return null
  return (
    <Notice tone={isUnanswered ? 'warn' : 'info'}>
      {isUnanswered ? (
        <p>{text('unreachable')}</p>
      ) : (
        <p>
          {text('newVersion')}{' '}
          <button type="button" className="text-button" onClick={() => window.location.reload()}>
            {text('reload')}
          </button>
        </p>
      )}
    </Notice>
  )
}

async function startBadge(queryClient: QueryClient): Promise<void> {
  const { keepBadge } = await import('./icon-badge.ts')
  keepBadge(queryClient)
}
