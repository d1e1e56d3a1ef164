import { attempt } from '../lib/attempt.ts'
import type { InjectedProvider } from './injected.ts'

const EVENTS = ['accountsChanged', 'chainChanged', 'connect', 'disconnect'] as const

/** Subscribes to a provider's events. Payloads differ between wallets, so only the event names are passed on. */
export function followProvider(
  provider: InjectedProvider | undefined,
  onEvent: (event: string) => void,
): () => void {
  const listeners = EVENTS.map((event) => ({ event, listener: () => onEvent(event) }))
  // A provider that cannot be listened to is polled.
  for (const { event, listener } of listeners) attempt(() => provider?.on?.(event, listener))
  return () => {
    for (const { event, listener } of listeners) {
      attempt(() => provider?.removeListener?.(event, listener))
    }
  }
}

type EventSource<Name extends string> = {
  on(event: Name, listener: () => void): unknown
  off(event: Name, listener: () => void): unknown
}

/** Subscribes to all these events. @returns a function that unsubscribes */
export function followAll<Name extends string>(
  source: EventSource<Name>,
  events: readonly Name[],
  listener: () => void,
): () => void {
  for (const event of events) source.on(event, listener)
  return () => {
    for (const event of events) source.off(event, listener)
  }
}

/** Whether a window message is a wallet's legacy change notification; only messages from this page's origin count. */
export function isWalletMessage(event: MessageEvent<unknown>, origin: string): boolean {
  if (event.origin !== origin) return false
  const { isTronLink, message } = (event.data ?? {}) as {
    isTronLink?: unknown
    message?: { action?: unknown }
  }
  return isTronLink === true || typeof message?.action === 'string'
}
