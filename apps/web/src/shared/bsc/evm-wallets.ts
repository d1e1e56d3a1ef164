import { useEffect, useState } from 'react'
import { peek, peekText } from '../lib/peek.ts'

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
    const wallet = announcedEvmWallet(peek(event, 'detail'))
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
 * Parses an announcement. Its content is untrusted: the icon is used only as inline image data, the name only as text,
 * and a wallet that lacks one of them is listed without it.
 */
function announcedEvmWallet(detail: unknown): EvmWallet | undefined {
  const provider = peek(detail, 'provider')
  const info = peek(detail, 'info')
  const [uuid, rdns, name] = ['uuid', 'rdns', 'name'].map((key) => peekText(info, key)?.trim())
  const id = uuid || rdns || name
  if (!id || !isProvider(provider)) return undefined
  const icon = peekText(info, 'icon')
  return {
    id,
    name: (name || rdns || BROWSER_WALLET).slice(0, MAX_NAME),
    icon: icon?.startsWith('data:image/') ? icon : undefined,
    provider,
  }
}

const MAX_NAME = 40
const BROWSER_WALLET = 'Browser wallet'

function oldWallet(win: EvmWindow): EvmWallet | undefined {
  const provider = peek(win, 'ethereum')
  if (!isProvider(provider)) return undefined
  return { id: 'ethereum', name: BROWSER_WALLET, icon: undefined, provider }
}

function isProvider(provider: unknown): provider is EvmProvider {
  return typeof peek(provider, 'request') === 'function'
}
