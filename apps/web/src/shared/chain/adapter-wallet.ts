import {
  ADAPTED_KINDS,
  ADAPTER_EVENTS,
  type AdaptedKind,
  type WalletAdapter,
} from './adapted-kinds.ts'
import type { Answer, FoundWallet, WalletCandidate } from './found-wallet.ts'
import type { WalletWindow } from './injected.ts'
import { injectedWallet, requireMessages } from './injected-wallet.ts'
import { loadOnce } from './load-once.ts'
import { readFailure } from './read-failure.ts'
import { toWalletError, WalletError } from './wallet-error.ts'
import { followAll } from './wallet-events.ts'

type Adapted = { parts: readonly unknown[]; load(): Promise<WalletAdapter> }
const adapted = new Map<string, Adapted>()

/** Wraps a wallet in its maintained adapter; undefined if it has none, or lacks the objects that the adapter needs. */
export function adapterWallet(
  candidate: WalletCandidate,
  win: WalletWindow,
): FoundWallet | undefined {
  const kind = ADAPTED_KINDS[candidate.id]
  const adaptable = kind?.adaptable(win, candidate)
  if (!kind || !adaptable) return undefined
  const source = adaptedAs(candidate.id, kind, adaptable.parts)
  const seen = { ...candidate, tronWeb: () => adaptable.tronWeb() || undefined }
  const injected = injectedWallet(seen)
  return {
    ...injected,
    source,
    ask: () => ask(source),
    // An adapter shares a connection that never ends with every later one.
    giveUp: () => adapted.get(candidate.id) === source && adapted.delete(candidate.id),
    async signMessage(text) {
      requireMessages(seen)
      return sign(source, (adapter) => adapter.signMessage(text))
    },
    signTransaction: (transaction) => {
      return sign(source, (adapter) => adapter.signTransaction(transaction))
    },
    follow: (onEvent) => follow(source, injected, onEvent),
  }
}

/** An adapter keeps the page objects it was created with, so new objects require a new adapter. */
function adaptedAs(id: string, kind: AdaptedKind, parts: readonly unknown[]): Adapted {
  const before = adapted.get(id)
  if (before?.parts.every((part, index) => part === parts[index])) return before
  const fresh = { parts, load: loadOnce(async () => settled(await kind.make())) }
  adapted.set(id, fresh)
  return fresh
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
    if (readFailure(thrown).text === 'Request connect error.') return 'granted'
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
    if (!isStopped) stops.push(followAll(adapter, ADAPTER_EVENTS, listener))
  }
  const leaveToPoll = () => undefined // polling detects every change too, only later
  load().then(listen, leaveToPoll)
  return () => {
    isStopped = true
    for (const stop of stops) stop()
  }
}

/** Adapters wrap the wallet's own error, whose words are the better ones to show. */
function adapterError(thrown: unknown): WalletError {
  const { name, error } = (thrown ?? {}) as { name?: unknown; error?: unknown }
  const options = { cause: thrown }
  if (name === 'WalletDisconnectedError') return new WalletError('notConnected', options)
  if (name === 'WalletNotFoundError') return new WalletError('notInstalled', options)
  const { problem } = toWalletError(thrown)
  const detail = readFailure(error ?? thrown).text
  return new WalletError(problem, { ...options, ...(problem === 'failed' && detail && { detail }) })
}
