/** The development wallet's settings that survive a reload. */
export type WalletSettings = {
  /** Tron address of the chosen demo account; empty: the first holder. */
  account: string
  isLocked: boolean
  /** The site may see the account. */
  isConnected: boolean
  isAutoApproving: boolean
  /** Private keys in addition to those of the demo accounts; development funds only. */
  importedKeys: readonly string[]
}

const KEY = 'developmentWalletSettings'
const DEFAULTS: WalletSettings = {
  account: '',
  isLocked: false,
  isConnected: false,
  isAutoApproving: false,
  importedKeys: [],
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
