import { flushSync } from 'react-dom'
import { tokenStore } from './token-store.ts'

/**
 * Keeps data of an ended session off the screen. A page that is restored from the back/forward cache, or was suspended
 * in the background, has heard nothing of other tabs: it is compared with the stored token before anything is shown.
 * @returns a function that stops it
 */
export function followSession(): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const leaveIfReplaced = () => {
    if (!tokenStore.isReplaced()) return
    showPage(false)
    window.location.reload()
  }
  const compare = () => {
    // Flushed, so that nothing of an ended session is left in the page when it is shown.
    flushSync(() => tokenStore.catchUp())
    showPage(true)
    leaveIfReplaced()
  }
  window.addEventListener('storage', compare, { signal })
  window.addEventListener('pageshow', compare, { signal })
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'visible') compare()
    },
    { signal },
  )
  // Browsers paint a restored page before they run its code.
  window.addEventListener('pagehide', ({ persisted }) => persisted && showPage(false), { signal })
  const stopHearing = tokenStore.subscribe(leaveIfReplaced)
  return () => {
    stop.abort()
    stopHearing()
  }
}

function showPage(isShown: boolean): void {
  document.documentElement.style.visibility = isShown ? '' : 'hidden'
}
