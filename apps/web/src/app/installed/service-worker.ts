import { registerServiceWorker, serviceWorkers } from '../../shared/storage/service-worker.ts'

/** An installed app can stay open for weeks, and browsers look for a new version only when a page is loaded. */
const LOOK_EVERY_MS = 5 * 60_000

/**
 * Registers the service worker. Until it is reloaded, the page keeps using its own version of the code.
 * @param onNewVersion called when reloading would open a newer version
 */
export async function startServiceWorker(onNewVersion: () => void): Promise<void> {
  serviceWorkers()?.addEventListener('message', ({ data }) => {
    if (data?.name === 'newVersion' && !isOwnEntry(data.entry)) onNewVersion()
  })
  const registration = await registerServiceWorker()
  const look = () => {
    if (document.visibilityState !== 'visible') return
    // A failed check needs no handling: the next check finds the update.
    registration.update().catch(() => undefined)
  }
  document.addEventListener('visibilitychange', look)
  setInterval(look, LOOK_EVERY_MS)
}

function isOwnEntry(entry: string): boolean {
  return document.querySelector(`script[src="${CSS.escape(entry)}"]`) !== null
}
