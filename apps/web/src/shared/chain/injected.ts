/** A Tron node, queried over Tron's own HTTP API (`node-request.ts`): the one that the wallet is set to, or ours. */
export type TronNode = {
  fullNode: {
    request(path: string, payload: object, method: 'get' | 'post'): Promise<unknown>
  }
}

/**
 * The objects that wallets inject into the page. Each wallet brings its own version of TronWeb, so these types name
 * only what every version has, and what some lack; everything else goes through the wallet's node.
 */
export type InjectedTronWeb = TronNode & {
  /** `false` while the wallet is locked or has not authorised the site. */
  defaultAddress?: { base58?: string | false; hex?: string | false } | false
  trx: {
    sign(transaction: UnsignedTransaction): Promise<SignedTransaction>
    signMessageV2?(message: string): Promise<string>
  }
}

export type UnsignedTransaction = {
  txID: string
  raw_data: { expiration?: number }
  raw_data_hex: string
}
export type SignedTransaction = UnsignedTransaction & { signature: string[] }

type Listener = (payload?: unknown) => void

/** A TIP-1193 provider, or one of the older objects that resemble it. */
export type InjectedProvider = {
  request?(args: { method: string; params?: unknown }): Promise<unknown>
  on?(event: string, listener: Listener): void
  removeListener?(event: string, listener: Listener): void
  tronWeb?: InjectedTronWeb | false
}

/** The page's global object, limited to the properties that wallets set. */
export type WalletWindow = EventTarget & {
  location: { origin: string }
  navigator?: { userAgent: string }
  tron?: InjectedProvider
  tronLink?: InjectedProvider
  tronWeb?: InjectedTronWeb | false
  okxwallet?: { tronLink?: InjectedProvider }
  bitkeep?: { tronLink?: InjectedProvider; tronWeb?: InjectedTronWeb | false }
  /** Bitget sets this on the objects that it puts in TronLink's place. */
  isBitKeep?: boolean
  trustwallet?: { tronLink?: InjectedProvider }
  $onekey?: { tron?: InjectedProvider }
  /** imToken's app sets this beside `tronWeb`. */
  imToken?: unknown
  tokenpocket?: { tron?: InjectedProvider; tronWeb?: InjectedTronWeb | false }
}
