import { attempt } from '../lib/attempt.ts'
import { isObject, peek, peekObject, peekText } from '../lib/peek.ts'
import { adapterWallet } from './adapter-wallet.ts'
import { type FoundWallet, SLOW_SIGNING_MS, type WalletCandidate } from './found-wallet.ts'
import type { InjectedProvider, InjectedTronWeb, WalletWindow } from './injected.ts'
import { injectedWallet } from './injected-wallet.ts'
import { isPhone } from './is-phone.ts'

/** Wallets whose keys are usually on a hardware device, which shows what is signed page by page. */
const BEHIND_A_DEVICE = new Set(['onekey'])

/**
 * Lists every wallet that the page currently exposes, without duplicates; TronLink, the product's main wallet, first.
 * One that cannot be read hides no other.
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
    const adapted = attempt(() => adapterWallet(candidate, win))
    const wallet = adapted ?? injectedWallet(candidate)
    const isSlow = isPhone(win) || BEHIND_A_DEVICE.has(candidate.id)
    return isSlow ? { ...wallet, extraSigningMs: SLOW_SIGNING_MS } : wallet
  })
}

/**
 * Parses the announcement of a wallet (TIP-6963). Its content is untrusted: the icon is used only as inline image data,
 * the name only as text, and a wallet that lacks one of them is listed without it.
 */
export function announcedCandidate(detail: unknown): WalletCandidate | undefined {
  const provider = peekObject(detail, 'provider') as InjectedProvider | undefined
  if (typeof peek(provider, 'request') !== 'function') return undefined
  const info = peek(detail, 'info')
  const texts = ['name', 'rdns', 'uuid'].map((key) => peekText(info, key)?.trim())
  const name = texts.find((text) => text)
  // A name may have no letter that an id can have.
  const id = texts.map((text) => walletId(text ?? '')).find((each) => each)
  if (!name || !id) return undefined
  const icon = peekText(info, 'icon')
  return {
    id,
    name: name.slice(0, MAX_NAME),
    icon: icon?.startsWith('data:image/') ? icon : undefined,
    rdns: texts[1],
    isAnnounced: true,
    provider,
    connectMethod: 'eth_requestAccounts',
    tronWeb: () => tronWebAt(() => provider?.tronWeb),
  }
}

const MAX_NAME = 40

/**
 * Wallets that only expose a global object: older extensions and in-app browsers on phones. TronLink's globals are
 * checked last, because other wallets put their own objects there too.
 */
function globalCandidates(win: WalletWindow): WalletCandidate[] {
  const under = (place: string, key: string) => {
    return peekObject(peek(win, place), key) as InjectedProvider | undefined
  }
  const of = (name: string, provider: InjectedProvider | undefined, more: GlobalOptions) => {
    return provider && fromGlobal(name, provider, more)
  }
  const found = [
    of('OKX Wallet', under('okxwallet', 'tronLink'), {
      connectMethod: 'tron_requestAccounts',
      tronWeb: () => win.okxwallet?.tronLink?.tronWeb,
    }),
    of('Bitget Wallet', under('bitkeep', 'tronLink'), {
      connectMethod: 'tron_requestAccounts',
      tronWeb: () => win.bitkeep?.tronLink?.tronWeb || win.bitkeep?.tronWeb,
    }),
    of('TokenPocket', under('tokenpocket', 'tron'), {
      connectMethod: 'eth_requestAccounts',
      tronWeb: () => win.tokenpocket?.tron?.tronWeb || win.tokenpocket?.tronWeb,
    }),
    of('Trust Wallet', under('trustwallet', 'tronLink'), {
      connectMethod: 'tron_requestAccounts',
      tronWeb: () => win.trustwallet?.tronLink?.tronWeb,
    }),
    of('OneKey', under('$onekey', 'tron'), {
      connectMethod: 'tron_requestAccounts',
      tronWeb: () => win.$onekey?.tron?.tronWeb,
    }),
    ...tronLinkCandidates(win),
  ]
  return found.filter((wallet) => wallet !== undefined)
}

function* tronLinkCandidates(win: WalletWindow): Generator<WalletCandidate> {
  const tron = peekObject(win, 'tron') as InjectedProvider | undefined
  if (tron && peek(tron, 'request')) {
    yield fromGlobal('TronLink', tron, {
      connectMethod: 'eth_requestAccounts',
      tronWeb: () => tron.tronWeb,
    })
  }
  const tronLink = peekObject(win, 'tronLink') as InjectedProvider | undefined
  if (peek(tronLink, 'request') || peekObject(win, 'tronWeb')) {
    yield fromGlobal(nameOfTronLink(win), tronLink, {
      connectMethod: 'tron_requestAccounts',
      tronWeb: () => attempt(() => win.tronLink?.tronWeb) || win.tronWeb,
    })
  }
}

/**
 * Who owns TronLink's global objects. The apps of TokenPocket and imToken expose only those plus their own marker;
 * Bitget flags them as its own.
 */
function nameOfTronLink(win: WalletWindow): string {
  if (peek(win, 'isBitKeep')) return 'Bitget Wallet'
  if (peek(win, 'imToken')) return 'imToken'
  const tokenpocket = peek(win, 'tokenpocket')
  return tokenpocket && !peek(tokenpocket, 'tron') ? 'TokenPocket' : 'TronLink'
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

type GlobalOptions = Pick<WalletCandidate, 'connectMethod'> & {
  tronWeb(): InjectedTronWeb | false | undefined
}

function fromGlobal(
  name: string,
  provider: InjectedProvider | undefined,
  { connectMethod, tronWeb }: GlobalOptions,
): WalletCandidate {
  return {
    id: walletId(name),
    name,
    icon: undefined,
    isAnnounced: false,
    provider,
    connectMethod,
    tronWeb: () => tronWebAt(tronWeb),
  }
}

function tronWebAt(read: () => InjectedTronWeb | false | undefined): InjectedTronWeb | undefined {
  const found = attempt(read)
  return isObject(found) ? found : undefined
}
