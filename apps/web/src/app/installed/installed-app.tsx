import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messages, useMessageLanguage } from '../../features/messages/messages.api.ts'
import { useIsOffline } from '../../shared/api/connection.ts'
import { usePublicConfigUnanswered } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useSession } from '../../shared/session/session.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { installedAppTexts } from './installed-app.texts.ts'
import { startServiceWorker } from './service-worker.ts'

/**
 * Makes the site an installable app: it opens offline, detects new versions, shows a badge on its icon, and receives
 * messages in its language. Reports that the service does not respond, or that reloading would open a newer version.
 */
export function InstalledApp() {
  const text = useTexts(installedAppTexts)
  const queryClient = useQueryClient()
  const [isOutdated, setIsOutdated] = useState(false)
  const { isUnanswered, user } = useSession()
  const isServiceDown = usePublicConfigUnanswered()
  const isOffline = useIsOffline()

  useEffect(() => {
    // Pages work without a service worker, for example in a private window.
    startServiceWorker(() => setIsOutdated(true)).catch(() => undefined)
    // If this fails, the icon shows no badge.
    if ('setAppBadge' in navigator) startBadge(queryClient).catch(() => undefined)
  }, [queryClient])

  useMessagesInLanguage(user?.role === 'user')

  const isUnreached = isUnanswered || isServiceDown
  if (isOffline || !(isUnreached || isOutdated)) return null
  return (
    <Callout tone={isUnreached ? 'warn' : 'info'}>
      {isUnreached ? (
        <p>{text(isUnanswered || user ? 'unreachable' : 'unreachableVisitor')}</p>
      ) : (
        <p>
          {text('newVersion')}{' '}
          <button type="button" className="text-button" onClick={() => window.location.reload()}>
            {text('reload')}
          </button>
        </p>
      )}
    </Callout>
  )
}

async function startBadge(queryClient: QueryClient): Promise<void> {
  const { keepBadge } = await import('./icon-badge.ts')
  keepBadge(queryClient)
}

/** Switches the language of messages when the holder changes the language of the pages. */
function useMessagesInLanguage(isHolder: boolean): void {
  const language = useMessageLanguage()
  const last = useRef(language)
  useEffect(() => {
    if (last.current === language) return
    last.current = language
    // If this fails, the page of messages shows that the two languages differ.
    if (isHolder) messages.setLanguage(language).catch(() => undefined)
  }, [language, isHolder])
}
