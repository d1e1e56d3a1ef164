import { adapterWallet } from './adapter-wallet.ts'
import { type FoundWallet, SLOW_SIGNING_MS, type WalletCandidate } from './found-wallet.ts'
import type { InjectedProvider, InjectedTronWeb, WalletWindow } from './injected.ts'
import { injectedWallet } from './injected-wallet.ts'
import { isPhone } from './is-phone.ts'

type Announcement = {
  info: { name: string; icon?: string }
  provider: InjectedProvider
}

/** Wallets whose keys are usually on a hardware device, which shows what is signed page by page. */
const BEHIND_A_DEVICE = new Set(['onekey'])

/**
 * Lists every wallet that the page currently exposes, without duplicates; TronLink, the product's main wallet, first.
 */
export function findWallets(
  win: WalletWindow,
  announced: Iterable<WalletCandidate>,
): FoundWallet[] {
  const candidates: WalletCandidate[] = []
  for (const candidate of [...announced, ...globalCandidates(win)]) {
    if (!candidates.some((known) => isSameWallet(known, candidate))) candidates.push(candidate)
  }
  candidates.sort((one, other) => Number(isTronLink(other)) - Number(isTronLink(one)))
  return candidates.map((candidate) => {
    const wallet = adapterWallet(candidate, win) ?? injectedWallet(candidate)
    const isSlow = isPhone(win) || BEHIND_A_DEVICE.has(candidate.id)
    return isSlow ? { ...wallet, extraSigningMs: SLOW_SIGNING_MS } : wallet
  })
}

/**
 * Parses the announcement of a wallet (TIP-6963). Its content is untrusted: the icon is used only as inline image data,
 * the name only as text.
 */
export function announcedCandidate(detail: unknown): WalletCandidate | undefined {
  const { info, provider } = (detail ?? {}) as Partial<Announcement>
  if (typeof info?.name !== 'string' || !walletId(info.name) || !provider?.request) return undefined
  return {
    id: walletId(info.name),
    name: info.name.slice(0, 40),
    icon: info.icon?.startsWith('data:image/') ? info.icon : undefined,
    isAnnounced: true,
    provider,
    connectMethod: 'eth_requestAccounts',
    tronWeb: () => provider.tronWeb || undefined,
  }
}

/**
 * Wallets that only expose a global object: older extensions and in-app browsers on phones. TronLink's globals are
 * checked last, because other wallets put their own objects there too.
 */
function globalCandidates(win: WalletWindow): WalletCandidate[] {
  const { tron, tronLink, okxwallet, bitkeep, tokenpocket, trustwallet, $onekey } = win
  const found: (WalletCandidate | false | undefined)[] = [
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
        return win.tokenpocket?.tron?.tronWeb || win.tokenpocket?.tronWeb
      }),
    trustwallet?.tronLink &&
      fromGlobal('Trust Wallet', trustwallet.tronLink, 'tron_requestAccounts', () => {
        return win.trustwallet?.tronLink?.tronWeb
      }),
    $onekey?.tron &&
      fromGlobal('OneKey', $onekey.tron, 'tron_requestAccounts', () => win.$onekey?.tron?.tronWeb),
    tron?.request && fromGlobal('TronLink', tron, 'eth_requestAccounts', () => tron.tronWeb),
    (tronLink?.request || win.tronWeb) &&
      fromGlobal(nameOfTronLink(win), tronLink, 'tron_requestAccounts', () => {
        return win.tronLink?.tronWeb || win.tronWeb
      }),
  ]
  return found.filter((wallet) => !!wallet)
}

/**
 * Who owns TronLink's global objects. The apps of TokenPocket and imToken expose only those plus their own marker;
 * Bitget flags them as its own.
 */
function nameOfTronLink({ tokenpocket, isBitKeep, imToken }: WalletWindow): string {
  if (isBitKeep) return 'Bitget Wallet'
  if (imToken) return 'imToken'
  return tokenpocket && !tokenpocket.tron ? 'TokenPocket' : 'TronLink'
}

function isTronLink({ id }: WalletCandidate): boolean {
  return id === 'tronlink'
}

function isSameWallet(one: WalletCandidate, other: WalletCandidate): boolean {
  return (
    one.id === other.id ||
    (one.provider !== undefined && one.provider === other.provider) ||
    (one.tronWeb() !== undefined && one.tronWeb() === other.tronWeb())
  )
}

/** `OKX Wallet` becomes `okx-wallet`, so that a wallet found in two ways is listed once. */
function walletId(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

function fromGlobal(
  name: string,
  provider: InjectedProvider | undefined,
  connectMethod: WalletCandidate['connectMethod'],
  tronWeb: () => InjectedTronWeb | false | undefined,
): WalletCandidate {
  return {
    id: walletId(name),
    name,
    icon: undefined,
    isAnnounced: false,
    provider,
    connectMethod,
    tronWeb: () => tronWeb() || undefined,
  }
}
