import { useSyncExternalStore } from 'react'
import { Listeners } from '../lib/listeners.ts'

/** Any answer to it, even an error of a proxy, proves the connection. */
const PROBE = '/api/health'
const PROBE_WITHIN_MS = 5_000
const PROBE_EVERY_MS = 10_000

const listeners = new Listeners()
let isGone = false
let hearsBrowser = false
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Whether there is no connection: the browser reports it, and a request has failed since. The report alone proves
 * nothing, because browsers also give it with some virtual networks. Requests can fail without it, too.
 */
export function isOffline(): boolean {
  hearBrowser()
  return isGone && navigator.onLine === false
}

/** `isOffline` as a hook: re-renders when the connection changes. */
export function useIsOffline(): boolean {
  return useSyncExternalStore(onConnectionChange, isOffline)
}

/** Subscribes to changes of `isOffline`. @returns a function that unsubscribes */
export function onConnectionChange(listener: () => void): () => void {
  hearBrowser()
  return listeners.subscribe(listener)
}

/** Reports whether a request was answered, by anyone. */
export function noteAnswer(isAnswered: boolean): void {
  hearBrowser()
  const isGoneNow = !isAnswered && navigator.onLine === false
  clearTimeout(timer)
  // The browser may never report the return of a connection whose loss it reported wrongly.
  if (isGoneNow) timer = setTimeout(() => void isConnected(), PROBE_EVERY_MS)
  if (isGoneNow === isGone) return
  isGone = isGoneNow
  listeners.call()
}

/** Whether anything answers now. Asks only if the browser reports no connection. */
export async function isConnected(): Promise<boolean> {
  if (navigator.onLine !== false) return true
  const isAnswered = await fetch(PROBE, {
    cache: 'no-store',
    signal: AbortSignal.timeout(PROBE_WITHIN_MS),
  }).then(
    () => true,
    () => false,
  )
  noteAnswer(isAnswered)
  return isAnswered
}

function hearBrowser(): void {
  if (hearsBrowser) return
  hearsBrowser = true
  window.addEventListener('offline', () => void isConnected())
  window.addEventListener('online', () => noteAnswer(true))
}
