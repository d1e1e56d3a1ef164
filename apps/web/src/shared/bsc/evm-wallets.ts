import { useEffect, useState } from 'react'

/** The provider interface that BSC wallets expose to a page (EIP-1193). */
export type EvmProvider = {
  request(args: { method: string; params?: readonly unknown[] }): Promise<unknown>
}
export type EvmWallet = {
  id: string
  name: string
  icon: string | undefined
  provider: EvmProvider
}
export type EvmWindow = EventTarget & { ethereum?: Partial<EvmProvider> }

/** The BSC wallets in this browser; empty if there are none. */
export function useEvmWallets(): readonly EvmWallet[] {
  const [wallets, setWallets] = useState<readonly EvmWallet[]>([])
  useEffect(() => watchEvmWallets(window as unknown as EvmWindow, setWallets), [])
  return wallets
}

/**
 * Asks the browser's wallets to announce themselves (EIP-6963) and reports each change. The legacy global `ethereum`
 * object is used only while no wallet has announced itself.
 * @returns a function that stops watching
 */
export function watchEvmWallets(
  win: EvmWindow,
  onChange: (wallets: readonly EvmWallet[]) => void,
): () => void {
  const announced = new Map<string, EvmWallet>()
  const onAnnounce = (event: Event) => {
    const wallet = announcedEvmWallet((event as CustomEvent<unknown>).detail)
    if (!wallet || announced.has(wallet.id)) return
    announced.set(wallet.id, wallet)
    onChange([...announced.values()])
  }
  win.addEventListener('eip6963:announceProvider', onAnnounce)
  const old = oldWallet(win)
  if (old) onChange([old])
  win.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => win.removeEventListener('eip6963:announceProvider', onAnnounce)
}

/**
 * Parses an announcement. Its content is untrusted: the icon is used only as inline image data, the name only as text.
 */
function announcedEvmWallet(detail: unknown): EvmWallet | undefined {
  const { info, provider } = (detail ?? {}) as {
    info?: { uuid?: unknown; name?: unknown; icon?: unknown }
    provider?: Partial<EvmProvider>
  }
  if (typeof info?.uuid !== 'string' || typeof info.name !== 'string') return undefined
  if (!isProvider(provider)) return undefined
  const { icon } = info
  return {
    id: info.uuid,
    name: info.name.slice(0, 40),
    icon: typeof icon === 'string' && icon.startsWith('data:image/') ? icon : undefined,
    provider,
  }
}

function oldWallet({ ethereum }: EvmWindow): EvmWallet | undefined {
  if (!isProvider(ethereum)) return undefined
  return { id: 'ethereum', name: 'Browser wallet', icon: undefined, provider: ethereum }
}

function isProvider(provider: Partial<EvmProvider> | undefined): provider is EvmProvider {
  return typeof provider?.request === 'function'
}
