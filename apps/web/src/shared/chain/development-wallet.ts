import { deviceMemory } from '../storage/memory.ts'

/** The development wallet, for browsers without a wallet; only installations in devnet mode serve it. */
const SCRIPT = '/devnet/wallet.js'
const CHOSEN_KEY = 'developmentWallet'
const STARTS_WITHIN_MS = 5000

let starting: Promise<void> | undefined

export function isDevelopmentWalletChosen(): boolean {
  return deviceMemory.getItem(CHOSEN_KEY) === 'on'
}

/**
 * Loads the development wallet into the page, where it looks like any extension. The choice is stored, so it is loaded
 * again after a reload. Resolves when a wallet announces itself, when loading fails, or after a timeout; repeated calls
 * are harmless.
 */
export function startDevelopmentWallet(): Promise<void> {
  deviceMemory.setItem(CHOSEN_KEY, 'on')
  starting ??= new Promise((resolve) => {
    window.addEventListener('TIP6963:announceProvider', () => resolve(), { once: true })
    setTimeout(resolve, STARTS_WITHIN_MS)
    const script = document.createElement('script')
    script.src = SCRIPT
    script.addEventListener('error', () => {
      starting = undefined // retry on the next call
      resolve()
    })
    document.head.append(script)
  })
  return starting
}
