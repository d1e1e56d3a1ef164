/** The development wallet: served by an installation in devnet mode alone, for browsers without a wallet. */
const SCRIPT = '/devnet/wallet.js'
const CHOSEN_KEY = 'developmentWallet'
const STARTS_WITHIN_MS = 5000

let starting: Promise<void> | undefined

export function isDevelopmentWalletChosen(): boolean {
  return localStorage.getItem(CHOSEN_KEY) === 'on'
}

/**
 * Loads it into the page, where it looks like any extension. Chosen once, it is there again after a reload.
 * Resolves when it has announced itself or will not any more; repeating it is harmless.
 */
export function startDevelopmentWallet(): Promise<void> {
  localStorage.setItem(CHOSEN_KEY, 'on')
  starting ??= new Promise((resolve) => {
    window.addEventListener('TIP6963:announceProvider', () => resolve(), { once: true })
    setTimeout(resolve, STARTS_WITHIN_MS)
    const script = document.createElement('script')
    script.src = SCRIPT
    script.addEventListener('error', () => {
      starting = undefined // the next try loads it again
      resolve()
    })
    document.head.append(script)
  })
  return starting
}
