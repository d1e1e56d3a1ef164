import type {
  InjectedProvider,
  InjectedTronWeb,
  SignedTransaction,
  UnsignedTransaction,
} from './injected.ts'
import type { WalletError } from './wallet-error.ts'

/** What came of asking for an account; `empty`: there is none, or the wallet is locked. */
export type Answer = 'granted' | 'empty' | WalletError

/** One wallet of this browser, whoever speaks to it. What it is asked for fails with a `WalletError`. */
export type FoundWallet = {
  id: string
  name: string
  icon: string | undefined
  /** What there is to listen to: another object has to be followed anew. */
  source: unknown
  /** Asked anew each time: wallets replace the object when the network changes. */
  tronWeb(): InjectedTronWeb | undefined
  /** What the wallet shows to this site, or `undefined` while it is locked or not connected. */
  address(): string | undefined
  /** Asks for its account. Asking again while its question is open asks nothing new. */
  ask(): Promise<Answer>
  signMessage(text: string): Promise<string>
  signTransaction(transaction: UnsignedTransaction): Promise<SignedTransaction>
  switchNetwork(chainId: string): Promise<void>
  /** Hears the names of changes; the returned function stops it. */
  follow(onEvent: (event: string) => void): () => void
}

/** A wallet as it was found, before it is decided who speaks to it. */
export type WalletCandidate = {
  id: string
  name: string
  icon: string | undefined
  isAnnounced: boolean
  provider: InjectedProvider | undefined
  connectMethod: 'eth_requestAccounts' | 'tron_requestAccounts'
  tronWeb(): InjectedTronWeb | undefined
}
