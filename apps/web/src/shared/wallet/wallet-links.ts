/** A wallet known to the product: where to get it, and how to open a page inside its mobile app. */
export type KnownWallet = {
  /** Derived from the name the wallet gives itself, as for wallets found in the browser. */
  id: string
  name: string
  installPage: string
  /** Absent for a wallet without a documented link. */
  appLink?(pageAddress: string): string
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
  {
    id: 'trust-wallet',
    name: 'Trust Wallet',
    installPage: 'https://trustwallet.com/download',
    appLink: (url) => `https://link.trustwallet.com/open_url?url=${encodeURIComponent(url)}`,
  },
  {
    id: 'imtoken',
    name: 'imToken',
    installPage: 'https://token.im/download',
    appLink: (url) => `imtokenv2://navigate/DappView?url=${encodeURIComponent(url)}`,
  },
  {
    id: 'metamask',
    name: 'MetaMask',
    installPage: 'https://metamask.io/download',
    appLink: (url) => `https://link.metamask.io/dapp/${url.replace(/^https?:\/\//, '')}`,
  },
  {
    id: 'onekey',
    name: 'OneKey',
    installPage: 'https://onekey.so/download',
  },
]

function encode(order: object): string {
  return encodeURIComponent(JSON.stringify(order))
}
