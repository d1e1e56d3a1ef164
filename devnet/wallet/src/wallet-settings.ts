import type { DemoAccount } from './devnet-api.ts'

/** The development wallet's settings that survive a reload. */
export type WalletSettings = {
  /** Tron address of the chosen demo account; empty: the first holder. */
  account: string
  isLocked: boolean
  /** The site may see the account. */
  isConnected: boolean
  isAutoApproving: boolean
  /**
   * Accounts in addition to the demo accounts; development funds only. Their addresses are stored with them, so that
   * pages need not derive them again.
   */
  importedAccounts: readonly DemoAccount[]
}

const KEY = 'developmentWalletSettings'
const DEFAULTS: WalletSettings = {
  account: '',
  isLocked: false,
  isConnected: false,
  isAutoApproving: false,
  importedAccounts: [],
}

export function readSettings(): WalletSettings {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') }
  } catch {
    return DEFAULTS
  }
}

export function writeSettings(settings: WalletSettings): void {
  localStorage.setItem(KEY, JSON.stringify(settings))
}
