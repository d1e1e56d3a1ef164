import type { TronWeb } from 'tronweb'
import type { DemoWallet } from './demo-wallet.ts'
import { ProviderError, unknownChain, unsupported } from './provider-error.ts'

type Request = { method: string; params?: unknown }

const ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"%3E%3Crect width="32" height="32" rx="8" fill="%232b5adc"/%3E%3Cpath d="m8 9 17 4-10 12z" fill="none" stroke="%23fff" stroke-width="2" stroke-linejoin="round"/%3E%3C/svg%3E'

/** Injects the extension's objects into the page and announces them. */
export function injectWallet(wallet: DemoWallet): void {
  const request = (asked: Request) => answer(wallet, asked)
  const provider = {
    isTronLink: true,
    request,
    on: wallet.on.bind(wallet),
    removeListener: wallet.off.bind(wallet),
    get tronWeb(): TronWeb | false {
      return wallet.address ? wallet.tronWeb : false
    },
  }
  const legacy = {
    get ready() {
      return wallet.address !== undefined
    },
    request: (asked: Request) => legacyAnswer(wallet, asked),
    tronWeb: wallet.tronWeb,
  }
  Object.assign(window, { tron: provider, tronLink: legacy, tronWeb: wallet.tronWeb })
  announce(provider)
}

function announce(provider: object): void {
  const info = Object.freeze({
    uuid: crypto.randomUUID(),
    name: 'TronLink',
    icon: ICON,
    rdns: 'org.tronlink.www',
  })
  const detail = Object.freeze({ info, provider })
  const say = () => window.dispatchEvent(new CustomEvent('TIP6963:announceProvider', { detail }))
  window.addEventListener('TIP6963:requestProvider', say)
  say()
}

async function answer(wallet: DemoWallet, { method, params }: Request): Promise<unknown> {
  switch (method) {
    case 'eth_requestAccounts':
      return [await wallet.connect()]
    case 'eth_accounts':
      return wallet.address ? [wallet.address] : []
    case 'eth_chainId':
      return wallet.chainId
    case 'wallet_switchEthereumChain': {
      const wanted = Array.isArray(params) ? params[0]?.chainId : undefined
      if (wanted === wallet.chainId) return null
      throw unknownChain()
    }
    case 'tron_requestAccounts':
      return legacyAnswer(wallet, { method })
    default:
      throw unsupported(method)
  }
}

/** The older API never rejects: it returns a code, or nothing at all while the wallet is locked. */
async function legacyAnswer(wallet: DemoWallet, { method }: Request): Promise<unknown> {
  if (method !== 'tron_requestAccounts') throw unsupported(method)
  if (wallet.settings.isLocked) return ''
  try {
    await wallet.connect()
    return { code: 200, message: 'The site is in the whitelist' }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    return { code: error.code === 4001 ? 4001 : 4000, message: error.message }
  }
}
