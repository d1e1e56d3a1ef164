import { useSyncExternalStore } from 'react'

/** Whether the browser reports being offline. Requests can fail even when it reports being online. */
export function isOffline(): boolean {
  return navigator.onLine === false
}

/** `isOffline` as a hook: re-renders when the connection changes. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(subscribe, isOffline)
}

function subscribe(listener: () => void): () => void {
  const events = ['online', 'offline'] as const
  for (const event of events) window.addEventListener(event, listener)
  return () => {
    for (const event of events) window.removeEventListener(event, listener)
  }
}
