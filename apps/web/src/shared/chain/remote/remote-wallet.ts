import { type ConnectGuide, type FoundWallet, SLOW_SIGNING_MS } from '../found-wallet.ts'
import type { SignedTransaction, TronNode, UnsignedTransaction } from '../injected.ts'
import { loadOnce } from '../load-once.ts'
import { isOtherKind, tronAddressIn } from '../tron-address.ts'
import { toWalletError } from '../wallet-error.ts'

/** A remote wallet whose code is loaded. Its methods fail with a `WalletError`, or with the wallet's own errors. */
export type RemoteConnection = {
  /** The account of the last connection, which survives a reload of the page. */
  address(): string | undefined
  /** Requests an account, with the dialog's help. */
  connect(guide: ConnectGuide): Promise<void>
  signMessage(text: string): Promise<string>
  signTransaction(transaction: UnsignedTransaction): Promise<SignedTransaction>
  /** @returns a function that unsubscribes */
  follow(onChange: () => void): () => void
}

type RemoteWalletOptions = {
  id: string
  name: string
  /** Our node, because the wallet has none. */
  node: TronNode
  load(): Promise<RemoteConnection>
}

/** A wallet outside the page. Its code is loaded when it is connected, or if it was chosen before. */
export function remoteWallet({ id, name, node, load }: RemoteWalletOptions): FoundWallet {
  let connection: RemoteConnection | undefined
  const loaded = loadOnce(async () => {
    connection = await load()
    return connection
  })
  const use = async <T>(act: (connection: RemoteConnection) => Promise<T>): Promise<T> => {
    try {
      return await act(await loaded())
    } catch (thrown) {
      throw toWalletError(thrown)
    }
  }
  return {
    id,
    name,
    icon: undefined,
    source: load,
    isRemote: true,
    extraSigningMs: SLOW_SIGNING_MS,
    node: () => node,
    address: () => tronAddressIn(connection?.address()),
    isOtherKind: () => isOtherKind(connection?.address()),
    ask: (guide) =>
      use((connected) => connected.connect(guide)).then(() => 'granted', toWalletError),
    giveUp: () => undefined,
    signMessage: (text) => use((connected) => connected.signMessage(text)),
    signTransaction: (transaction) => use((connected) => connected.signTransaction(transaction)),
    // The node is the product's own, so it is never on another network.
    switchNetwork: async () => undefined,
    follow: (onEvent) => follow(loaded, () => onEvent('accountsChanged')),
  }
}

function follow(loaded: () => Promise<RemoteConnection>, onChange: () => void): () => void {
  let stop: (() => void) | undefined = () => undefined
  const listen = (connection: RemoteConnection) => {
    if (stop === undefined) return
    stop = connection.follow(onChange)
    onChange() // the account of the last visit is known now
  }
  const leaveToNextAttempt = () => undefined // connecting or signing retries the load and reports why it fails
  loaded().then(listen, leaveToNextAttempt)
  return () => {
    stop?.()
    stop = undefined
  }
}
