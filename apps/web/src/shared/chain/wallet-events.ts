import type { InjectedProvider } from './injected.ts'

const EVENTS = ['accountsChanged', 'chainChanged', 'connect', 'disconnect'] as const

/** Hears of a provider's changes. What the events carry differs between wallets, so only their names are passed on. */
export function followProvider(
  provider: InjectedProvider | undefined,
  onEvent: (event: string) => void,
): () => void {
  const listeners = EVENTS.map((event) => ({ event, listener: () => onEvent(event) }))
  for (const { event, listener } of listeners) provider?.on?.(event, listener)
  return () => {
    for (const { event, listener } of listeners) provider?.removeListener?.(event, listener)
  }
}

/** The older way in which wallets tell of a change. Only messages of this very page count. */
export function isWalletMessage(event: MessageEvent<unknown>, origin: string): boolean {
  if (event.origin !== origin) return false
  const { isTronLink, message } = (event.data ?? {}) as {
    isTronLink?: unknown
    message?: { action?: unknown }
  }
  return isTronLink === true || typeof message?.action === 'string'
}
