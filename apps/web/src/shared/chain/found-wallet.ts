import type {
  InjectedProvider,
  InjectedTronWeb,
  SignedTransaction,
  UnsignedTransaction,
} from './injected.ts'
import type { WalletError } from './wallet-error.ts'

/** The outcome of asking for an account; `empty` means that there is none, or that the wallet is locked. */
export type Answer = 'granted' | 'empty' | WalletError

/** One wallet of this browser, whether used directly or through an adapter. Its methods fail with a `WalletError`. */
export type FoundWallet = {
  id: string
  name: string
  icon: string | undefined
  /** The object we subscribe to; when it changes, we have to subscribe again. */
  source: unknown
  /** Read it again each time: wallets replace the object when the network changes. */
  tronWeb(): InjectedTronWeb | undefined
  /** The address the wallet shows to this site; `undefined` while it is locked or not connected. */
  address(): string | undefined
  /** Requests the account. Asking again while the wallet's prompt is open does not open another one. */
  ask(): Promise<Answer>
  signMessage(text: string): Promise<string>
  signTransaction(transaction: UnsignedTransaction): Promise<SignedTransaction>
  switchNetwork(chainId: string): Promise<void>
  /** Subscribes to change events by name. @returns a function that unsubscribes */
  follow(onEvent: (event: string) => void): () => void
}

/** A wallet as it was found, before we decide whether to use it directly or through an adapter. */
export type WalletCandidate = {
  id: string
  name: string
  icon: string | undefined
  isAnnounced: boolean
  provider: InjectedProvider | undefined
  connectMethod: 'eth_requestAccounts' | 'tron_requestAccounts'
  tronWeb(): InjectedTronWeb | undefined
}
