import type { InjectedProvider, InjectedTronWeb, WalletWindow } from './injected.ts'

type ConnectMethod = 'eth_requestAccounts' | 'tron_requestAccounts'

/** One wallet of this browser. `tronWeb()` is asked anew each time: wallets replace the object when the network changes. */
export type FoundWallet = {
  id: string
  name: string
  icon: string | undefined
  provider: InjectedProvider | undefined
  connectMethod: ConnectMethod
  tronWeb(): InjectedTronWeb | undefined
}

type Announcement = {
  info: { name: string; icon?: string }
  provider: InjectedProvider
}

/** `OKX Wallet` becomes `okx-wallet`: the same wallet found in two ways counts once. */
function walletId(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/**
 * A wallet that announced itself (TIP-6963). The announcement is the wallet's own word, so an icon is
 * taken only as inline image data and the name only as text.
 */
export function announcedWallet(detail: unknown): FoundWallet | undefined {
  const { info, provider } = (detail ?? {}) as Partial<Announcement>
  if (typeof info?.name !== 'string' || !walletId(info.name) || !provider?.request) return undefined
  return {
    id: walletId(info.name),
    name: info.name.slice(0, 40),
    icon: info.icon?.startsWith('data:image/') ? info.icon : undefined,
    provider,
    connectMethod: 'eth_requestAccounts',
    tronWeb: () => provider.tronWeb || undefined,
  }
}

/** Wallets that only leave a global object: older extensions and the in-app browsers of phones. */
export function globalWallets(win: WalletWindow): FoundWallet[] {
  const { tron, tronLink, okxwallet, bitkeep, tokenpocket } = win
  const found: (FoundWallet | false | undefined)[] = [
    tron?.request && fromGlobal('TronLink', tron, 'eth_requestAccounts', () => tron.tronWeb),
    (tronLink?.request || win.tronWeb) &&
      fromGlobal(nameOfTronLink(win), tronLink, 'tron_requestAccounts', () => {
        return win.tronLink?.tronWeb || win.tronWeb
      }),
    okxwallet?.tronLink &&
      fromGlobal('OKX Wallet', okxwallet.tronLink, 'tron_requestAccounts', () => {
        return win.okxwallet?.tronLink?.tronWeb
      }),
    bitkeep?.tronLink &&
      fromGlobal('Bitget Wallet', bitkeep.tronLink, 'tron_requestAccounts', () => {
        return win.bitkeep?.tronLink?.tronWeb || win.bitkeep?.tronWeb
      }),
    tokenpocket?.tron &&
      fromGlobal('TokenPocket', tokenpocket.tron, 'eth_requestAccounts', () => {
        return win.tokenpocket?.tron?.tronWeb
      }),
  ]
  return found.filter((wallet) => !!wallet)
}

/** In TokenPocket's app only TronLink's objects stand, beside a mark of its own. */
function nameOfTronLink({ tokenpocket }: WalletWindow): string {
  return tokenpocket && !tokenpocket.tron ? 'TokenPocket' : 'TronLink'
}

/** Announced wallets first; a global object is added only where its wallet did not announce itself. */
export function mergeWallets(announced: FoundWallet[], globals: FoundWallet[]): FoundWallet[] {
  const merged: FoundWallet[] = []
  for (const wallet of [...announced, ...globals]) {
    const isKnown = merged.some(
      ({ id, provider }) =>
        id === wallet.id || (provider !== undefined && provider === wallet.provider),
    )
    if (!isKnown) merged.push(wallet)
  }
  return merged
}

/** The address that a wallet shows to this site, or `undefined` while it is locked or not connected. */
export function addressOf(wallet: FoundWallet): string | undefined {
  const shown = wallet.tronWeb()?.defaultAddress || undefined
  return shown?.base58 || undefined
}

function fromGlobal(
  name: string,
  provider: InjectedProvider | undefined,
  connectMethod: ConnectMethod,
  tronWeb: () => InjectedTronWeb | false | undefined,
): FoundWallet {
  return {
    id: walletId(name),
    name,
    icon: undefined,
    provider,
    connectMethod,
    tronWeb: () => tronWeb() || undefined,
  }
}
