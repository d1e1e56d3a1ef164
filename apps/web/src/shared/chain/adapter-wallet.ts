import type { Answer, FoundWallet, WalletCandidate } from './found-wallet.ts'
import type {
  InjectedTronWeb,
  SignedTransaction,
  UnsignedTransaction,
  WalletWindow,
} from './injected.ts'
import { injectedWallet } from './injected-wallet.ts'
import { toWalletError, WalletError } from './wallet-error.ts'

/** The part of the maintained wallet adapters that we use; each adapter is loaded only once its wallet is found. */
type WalletAdapter = {
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

const EVENTS = ['accountsChanged', 'connect', 'disconnect'] as const
type AdapterEvent = (typeof EVENTS)[number]

/**
 * An adapter is created only for a wallet already found, so it need not search for long or open an app or a download
 * page. Its security check is off because it would call a third-party server.
 */
const SETTINGS = {
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

type AdaptedKind = {
  /** Undefined while an object that the adapter depends on is missing. */
  adaptable(win: WalletWindow, candidate: WalletCandidate): Adaptable | undefined
  make(): Promise<WalletAdapter>
}

const KINDS: Readonly<Record<string, AdaptedKind>> = {
  'okx-wallet': {
    adaptable: ({ okxwallet }) => {
      const own = okxwallet?.tronLink
      return own && { parts: [own], tronWeb: () => own.tronWeb }
    },
    async make() {
      const { OkxWalletAdapter } = await import('@tronweb3/tronwallet-adapter-okxwallet')
      return new OkxWalletAdapter(SETTINGS)
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
      return new BitKeepAdapter(SETTINGS)
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
      return new TokenPocketAdapter(SETTINGS)
    },
  },
}

type Adapted = { parts: readonly unknown[]; load(): Promise<WalletAdapter> }
const adapted = new Map<string, Adapted>()

/** Wraps OKX, Bitget and TokenPocket in their maintained adapters; undefined for any other wallet. */
export function adapterWallet(
  candidate: WalletCandidate,
  win: WalletWindow,
): FoundWallet | undefined {
  const kind = KINDS[candidate.id]
  const adaptable = kind?.adaptable(win, candidate)
  if (!kind || !adaptable) return undefined
  const source = adaptedAs(candidate.id, kind, adaptable.parts)
  const injected = injectedWallet({
    ...candidate,
    tronWeb: () => adaptable.tronWeb() || undefined,
  })
  return {
    ...injected,
    source,
    ask: () => ask(source),
    signMessage: (text) => sign(source, (adapter) => adapter.signMessage(text)),
    signTransaction: (transaction) => {
      return sign(source, (adapter) => adapter.signTransaction(transaction))
    },
    follow: (onEvent) => follow(source, injected, onEvent),
  }
}

/** An adapter keeps the page objects it was created with, so new objects call for a new adapter. */
function adaptedAs(id: string, kind: AdaptedKind, parts: readonly unknown[]): Adapted {
  const before = adapted.get(id)
  if (before?.parts.every((part, index) => part === parts[index])) return before
  const fresh = { parts, load: lazily(async () => settled(await kind.make())) }
  adapted.set(id, fresh)
  return fresh
}

/** Loads once; a failed load is retried on the next call. */
function lazily<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((cause: unknown) => {
      loaded = undefined
      throw new WalletError('failed', { cause })
    })
    return loaded
  }
}

/** Waits until a new adapter has detected its wallet; until then it reports every wallet as disconnected. */
async function settled(adapter: WalletAdapter): Promise<WalletAdapter> {
  if (adapter.state === 'Loading') {
    await new Promise<void>((resolve) => adapter.once('stateChanged', () => resolve()))
  }
  return adapter
}

/**
 * Requests the account. Called only while the wallet shows no address, so an adapter that thinks it is connected has
 * missed that the wallet was locked.
 */
async function ask({ load }: Adapted): Promise<Answer> {
  try {
    const adapter = await load()
    if (adapter.connected) await adapter.disconnect()
    await adapter.connect()
    return 'granted'
  } catch (thrown) {
    // Adapters throw this when the wallet is locked, but also when it agreed and shows its address a moment later.
    if (messageOf(thrown) === 'Request connect error.') return 'granted'
    return adapterError(thrown)
  }
}

/** @throws WalletError */
async function sign<T>({ load }: Adapted, act: (adapter: WalletAdapter) => Promise<T>): Promise<T> {
  try {
    const adapter = await load()
    if (!adapter.connected) await adapter.connect()
    return await act(adapter)
  } catch (thrown) {
    throw adapterError(thrown)
  }
}

/** Adapters report account changes but not network changes, so we also listen to the provider's own events. */
function follow(
  { load }: Adapted,
  injected: FoundWallet,
  onEvent: (event: string) => void,
): () => void {
  const listener = () => onEvent('accountsChanged')
  const stops = [injected.follow(onEvent)]
  let isStopped = false
  const listen = (adapter: WalletAdapter) => {
    if (isStopped) return
    for (const event of EVENTS) adapter.on(event, listener)
    stops.push(() => {
      for (const event of EVENTS) adapter.off(event, listener)
    })
  }
  const leaveToPoll = () => undefined // polling detects every change too, only later
  load().then(listen, leaveToPoll)
  return () => {
    isStopped = true
    for (const stop of stops) stop()
  }
}

/** Adapters wrap the wallet's own error, and report an open pop-up only by its message. */
function adapterError(thrown: unknown): WalletError {
  const { name, error } = (thrown ?? {}) as { name?: unknown; error?: unknown }
  const options = { cause: thrown }
  if (name === 'WalletDisconnectedError') return new WalletError('notConnected', options)
  if (name === 'WalletNotFoundError') return new WalletError('notInstalled', options)
  if (/pop-up window has not been closed/.test(messageOf(thrown))) {
    return new WalletError('pending', options)
  }
  const { problem, message } = toWalletError(error ?? thrown)
  return new WalletError(problem, { ...options, ...(problem === 'failed' && { detail: message }) })
}

function messageOf(thrown: unknown): string {
  const { message } = (thrown ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : ''
}

/** Uses the adapters' own test, because they read different page objects in mobile apps. */
function isPhone({ navigator }: WalletWindow): boolean {
  return /Android|webOS|iPhone|iPad|iPod|BlackBerry|Windows Phone/i.test(navigator?.userAgent ?? '')
}
