import type { WalletCandidate } from './found-wallet.ts'
import type {
  InjectedProvider,
  InjectedTronWeb,
  SignedTransaction,
  UnsignedTransaction,
  WalletWindow,
} from './injected.ts'
import { isPhone } from './is-phone.ts'

/** The part of the maintained wallet adapters that we use; each adapter is loaded only once its wallet is used. */
export type WalletAdapter = {
  readonly state: string
  readonly connected: boolean
  connect(): Promise<void>
  disconnect(): Promise<void>
  signMessage(text: string): Promise<string>
  signTransaction(transaction: UnsignedTransaction): Promise<SignedTransaction>
  on(event: AdapterEvent, listener: () => void): unknown
  once(event: 'stateChanged', listener: () => void): unknown
  off(event: AdapterEvent, listener: () => void): unknown
}

export const ADAPTER_EVENTS = ['accountsChanged', 'connect', 'disconnect'] as const
type AdapterEvent = (typeof ADAPTER_EVENTS)[number]

/**
 * An adapter is created only for a wallet already found, so it need not search for long or open an app or a download
 * page. Its security check is off because it would call a third-party server.
 */
export const ADAPTER_SETTINGS = {
  checkTimeout: 500,
  openAppWithDeeplink: false,
  openUrlWhenWalletNotFound: false,
  securityOptions: { enabled: false },
}

type Adaptable = {
  /** The objects that the adapter reads from the page when it is created, and keeps. */
  parts: readonly unknown[]
  /** The TronWeb that it signs with. */
  tronWeb(): InjectedTronWeb | false | undefined
}

export type AdaptedKind = {
  /** Undefined while an object that the adapter depends on is missing. */
  adaptable(win: WalletWindow, candidate: WalletCandidate): Adaptable | undefined
  make(): Promise<WalletAdapter>
}

/** For adapters that need nothing but the wallet's own provider. */
function throughProvider(own: InjectedProvider | undefined): Adaptable | undefined {
  return own && { parts: [own], tronWeb: () => own.tronWeb }
}

/** The wallets in the page that have an adapter, by their ID. */
export const ADAPTED_KINDS: Readonly<Record<string, AdaptedKind>> = {
  'okx-wallet': {
    adaptable: ({ okxwallet }) => throughProvider(okxwallet?.tronLink),
    async make() {
      const { OkxWalletAdapter } = await import('@tronweb3/tronwallet-adapter-okxwallet')
      return new OkxWalletAdapter(ADAPTER_SETTINGS)
    },
  },
  'bitget-wallet': {
    adaptable: (win) => {
      const { bitkeep, isBitKeep, tronLink } = win
      const own = bitkeep?.tronLink
      const tronWeb = () => (isPhone(win) ? own?.tronWeb : bitkeep?.tronWeb)
      if (!own || !isBitKeep || !tronLink || tronWeb() === undefined) return undefined
      return { parts: [own, tronWeb()], tronWeb }
    },
    async make() {
      const { BitKeepAdapter } = await import('@tronweb3/tronwallet-adapter-bitkeep')
      return new BitKeepAdapter(ADAPTER_SETTINGS)
    },
  },
  tokenpocket: {
    adaptable: (win, { provider, isAnnounced }) => {
      const { tokenpocket } = win
      if (isPhone(win)) {
        if (!win.tronWeb || !tokenpocket?.tron || !tokenpocket.tronWeb) return undefined
        const tronWeb = () => tokenpocket.tronWeb
        return { parts: [tokenpocket.tron, tronWeb()], tronWeb }
      }
      const isGlobal = win.tronWeb !== undefined && provider === tokenpocket?.tron
      if (provider?.tronWeb === undefined || !(isAnnounced || isGlobal)) return undefined
      return { parts: [provider, provider.tronWeb], tronWeb: () => provider.tronWeb }
    },
    async make() {
      const { TokenPocketAdapter } = await import('@tronweb3/tronwallet-adapter-tokenpocket')
      return new TokenPocketAdapter(ADAPTER_SETTINGS)
    },
  },
  'trust-wallet': {
    adaptable: ({ trustwallet }) => throughProvider(trustwallet?.tronLink),
    async make() {
      const { TrustAdapter } = await import('@tronweb3/tronwallet-adapter-trust')
      return new TrustAdapter(ADAPTER_SETTINGS)
    },
  },
  onekey: {
    adaptable: ({ $onekey }) => throughProvider($onekey?.tron),
    async make() {
      const { OneKeyAdapter } = await import('@tronweb3/tronwallet-adapter-onekey')
      return new OneKeyAdapter(ADAPTER_SETTINGS)
    },
  },
  imtoken: {
    adaptable: (win) => {
      const { imToken, tronWeb } = win
      return imToken && tronWeb ? { parts: [tronWeb], tronWeb: () => win.tronWeb } : undefined
    },
    async make() {
      const { ImTokenAdapter } = await import('@tronweb3/tronwallet-adapter-imtoken')
      return new ImTokenAdapter(ADAPTER_SETTINGS)
    },
  },
}
