import type {
  InjectedProvider,
  InjectedTronWeb,
  SignedTransaction,
  TronNode,
  UnsignedTransaction,
} from './injected.ts'
import type { WalletError } from './wallet-error.ts'

/**
 * Together with the node's own minute, five minutes to unlock a phone or a device and to read what is signed. A
 * reserved quota lasts for two such signatures.
 */
export const SLOW_SIGNING_MS = 240_000

/** An account of a hardware device; `index` is its number in the derivation path. */
export type DeviceAccount = { index: number; address: string }

/** What connecting a remote wallet needs from its user; the dialog provides it. */
export type ConnectGuide = {
  /** Aborted when the user cancels. */
  signal: AbortSignal
  /** Shows a URI for the wallet's app, as a QR code and as a link. */
  showLink(uri: string): void
  /** Shows a device's accounts, which `read` returns from an index on, and waits for the user's choice. */
  chooseAccount(read: (from: number) => Promise<DeviceAccount[]>): Promise<DeviceAccount>
  /** Waits for the user to choose one of several accounts that a wallet shares. */
  pickAccount(addresses: readonly string[]): Promise<string>
}

/**
 * The outcome of asking for an account; `empty` means that there is none, or that the wallet is locked, `otherKind` that
 * the answer is an address of another kind, although the wallet may show the right one.
 */
export type Answer = 'granted' | 'empty' | 'otherKind' | WalletError

/** One wallet of this browser, whether used directly or through an adapter. Its methods fail with a `WalletError`. */
export type FoundWallet = {
  id: string
  name: string
  icon: string | undefined
  /** Not in the page, but on another device or behind another interface; its code is loaded when it is chosen. */
  isRemote: boolean
  /** The object we subscribe to; when it changes, we have to subscribe again. */
  source: unknown
  /** How much longer than usual its transactions stay valid: `SLOW_SIGNING_MS` for wallets that sign slowly, else 0. */
  extraSigningMs: number
  /** The node to query. Read it again each time: wallets replace the object when the network changes. */
  node(): TronNode | undefined
  /** The address the wallet shows to this site; `undefined` while it is locked or not connected. */
  address(): string | undefined
  /** Whether it shows something else in place of a Tron address, such as an account of another chain. */
  isOtherKind(): boolean
  /**
   * Requests the account. Asking again while the wallet's prompt is open does not open another one. Remote wallets use
   * the guide.
   */
  ask(guide: ConnectGuide): Promise<Answer>
  /** Forgets a prompt that nobody waits for any more, so that the wallet is asked anew the next time. */
  giveUp(): void
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
  /** The reverse domain name by which an announced wallet identifies itself. */
  rdns?: string | undefined
  isAnnounced: boolean
  provider: InjectedProvider | undefined
  connectMethod: 'eth_requestAccounts' | 'tron_requestAccounts'
  tronWeb(): InjectedTronWeb | undefined
}
