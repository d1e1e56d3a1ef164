/**
 * The objects that wallets inject into the page. Each wallet brings its own version of TronWeb, so these types name
 * only the calls that every version has; everything else goes through the wallet's node (`node-request.ts`).
 */
export type InjectedTronWeb = {
  /** `false` while the wallet is locked or has not authorised the site. */
  defaultAddress?: { base58?: string | false; hex?: string | false } | false
  address: { toHex(address: string): string }
  fullNode: {
    request(path: string, payload: object, method: 'get' | 'post'): Promise<unknown>
  }
  transactionBuilder: {
    triggerSmartContract(
      contract: string,
      selector: string,
      options: { feeLimit: number; callValue: number },
      parameters: { type: string; value: string }[],
      issuer: string,
    ): Promise<{
      result?: { result?: boolean; message?: string }
      transaction?: UnsignedTransaction
    }>
  }
  trx: {
    sign(transaction: UnsignedTransaction): Promise<SignedTransaction>
    signMessageV2(message: string): Promise<string>
    sendRawTransaction(transaction: SignedTransaction): Promise<BroadcastReply>
  }
}

export type UnsignedTransaction = {
  txID: string
  raw_data: { expiration?: number }
  raw_data_hex: string
}
export type SignedTransaction = UnsignedTransaction & { signature: string[] }
export type BroadcastReply = {
  result?: boolean
  txid?: string
  code?: string | number
  message?: string
}

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
  tokenpocket?: { tron?: InjectedProvider; tronWeb?: InjectedTronWeb | false }
}
