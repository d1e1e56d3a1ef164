const SCRIPT = '/service-worker.js'

/**
 * The browser's service workers; undefined where it offers none: on sites without https, in some private windows, and
 * where storage is blocked.
 */
export function serviceWorkers(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker ?? undefined
  } catch {
    return undefined
  }
}

/** Registers the service worker; repeating that is harmless. Rejects where the browser refuses it. */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration> {
  const workers = serviceWorkers()
  if (!workers) throw new Error('This browser offers no service worker')
  return workers.register(SCRIPT)
}

/** Registers the service worker and waits until it has started. */
export async function startedServiceWorker(): Promise<ServiceWorkerRegistration> {
  await registerServiceWorker()
  return navigator.serviceWorker.ready
}

/** The registration of the service worker; undefined if there is none or the browser refuses to tell. */
export async function findServiceWorker(): Promise<ServiceWorkerRegistration | undefined> {
  try {
    return await serviceWorkers()?.getRegistration()
  } catch {
    return undefined
  }
}
