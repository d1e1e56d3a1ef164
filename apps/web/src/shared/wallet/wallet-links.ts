/** A wallet that the product knows by name: where to get it, and how to open a page inside its mobile app. */
export type KnownWallet = {
  /** Derived from the name the wallet gives itself, as for wallets found in the browser. */
  id: string
  name: string
  installPage: string
  appLink(pageAddress: string): string
}

/** The wallets to offer when they are not found, TronLink first. */
export const KNOWN_WALLETS: readonly KnownWallet[] = [
  {
    id: 'tronlink',
    name: 'TronLink',
    installPage: 'https://www.tronlink.org/',
    appLink: (url) => {
      const order = { url, action: 'open', protocol: 'tronlink', version: '1.0' }
      return `tronlinkoutside://pull.activity?param=${encode(order)}`
    },
  },
  {
    id: 'okx-wallet',
    name: 'OKX Wallet',
    installPage: 'https://web3.okx.com/download',
    appLink: (url) => `okx://wallet/dapp/url?dappUrl=${encodeURIComponent(url)}`,
  },
  {
    id: 'bitget-wallet',
    name: 'Bitget Wallet',
    installPage: 'https://web3.bitget.com/en/wallet-download',
    appLink: (url) => `https://bkcode.vip?action=dapp&url=${encodeURIComponent(url)}`,
  },
  {
    id: 'tokenpocket',
    name: 'TokenPocket',
    installPage: 'https://www.tokenpocket.pro/en/download/app',
    appLink: (url) => {
      const order = { url, action: 'open', protocol: 'TokenPocket', version: '1.0' }
      return `tpdapp://open?params=${encode({ ...order, blockchain: 'Tron', chain: 'Tron' })}`
    },
  },
]

function encode(order: object): string {
  return encodeURIComponent(JSON.stringify(order))
}
