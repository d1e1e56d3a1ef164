import type { Answer, FoundWallet, WalletCandidate } from './found-wallet.ts'
import type {
  InjectedTronWeb,
  SignedTransaction,
  UnsignedTransaction,
  WalletWindow,
} from './injected.ts'
import { injectedWallet } from './injected-wallet.ts'
import { toWalletError, WalletError } from './wallet-error.ts'

/** As much of the maintained adapters as is used; each is loaded once its wallet is there. */
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
 * The wallet was found before its adapter is made, so it need not search for long, nor open an app or a shop. Its
 * security check would ask a foreign server.
 */
const SETTINGS = {
  checkTimeout: 500,
  openAppWithDeeplink: false,
  openUrlWhenWalletNotFound: false,
  securityOptions: { enabled: false },
}

type Adaptable = {
  /** What the adapter takes from the page when it is made, and keeps. */
  parts: readonly unknown[]
  /** What it signs with. */
  tronWeb(): InjectedTronWeb | false | undefined
}

type AdaptedKind = {
  /** Undefined while something is missing that the adapter would stumble over. */
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

/** OKX, Bitget and TokenPocket are spoken to through the adapters that are maintained for them. */
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

/** An adapter would go on with what it took, so new objects in the page are worth a new adapter. */
function adaptedAs(id: string, kind: AdaptedKind, parts: readonly unknown[]): Adapted {
  const before = adapted.get(id)
  if (before?.parts.every((part, index) => part === parts[index])) return before
  const fresh = { parts, load: lazily(async () => settled(await kind.make())) }
  adapted.set(id, fresh)
  return fresh
}

/** A load that failed is tried again by whoever asks next. */
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

/** A new adapter looks at its wallet first; before that it calls every wallet disconnected. */
async function settled(adapter: WalletAdapter): Promise<WalletAdapter> {
  if (adapter.state === 'Loading') {
    await new Promise<void>((resolve) => adapter.once('stateChanged', () => resolve()))
  }
  return adapter
}

/** Asked only while the wallet shows no address, so an adapter that believes itself connected missed a lock. */
async function ask({ load }: Adapted): Promise<Answer> {
  try {
    const adapter = await load()
    if (adapter.connected) await adapter.disconnect()
    await adapter.connect()
    return 'granted'
  } catch (thrown) {
    // Said when a wallet is locked and also when it has agreed but shows its address a moment later.
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

/** Adapters tell of accounts but not of networks, so the provider's own events are heard beside them. */
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
  const leaveToPoll = () => undefined // it sees every change too, only later
  load().then(listen, leaveToPoll)
  return () => {
    isStopped = true
    for (const stop of stops) stop()
  }
}

/** Adapters wrap what the wallet threw, and give an open pop-up nothing but a sentence. */
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

/** By the same sign as the adapters, which read other objects in the apps of phones. */
function isPhone({ navigator }: WalletWindow): boolean {
  return /Android|webOS|iPhone|iPad|iPod|BlackBerry|Windows Phone/i.test(navigator?.userAgent ?? '')
}
