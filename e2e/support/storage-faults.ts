import type { Page } from '@playwright/test'

/**
 * Makes the storage of this page as browsers do: `blocked` refuses to hand it out, `full` accepts nothing. The
 * development wallet keeps its own storage, like an extension.
 */
export async function breakStorage(page: Page, fault: 'blocked' | 'full'): Promise<void> {
  await page.addInitScript((kind) => {
    const isOfWallet = () => /devnet\/wallet\.js/.test(new Error().stack ?? '')
    for (const name of ['localStorage', 'sessionStorage'] as const) {
      const real = window[name]
      const full = new Proxy(real, {
        get(target, key) {
          if (key === 'setItem') {
            return () => {
              throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
            }
          }
          const value: unknown = Reflect.get(target, key)
          return typeof value === 'function' ? value.bind(target) : value
        },
        set() {
          throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
        },
      })
      Object.defineProperty(window, name, {
        configurable: true,
        get() {
          if (isOfWallet()) return real
          if (kind === 'full') return full
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
    }
    if (kind === 'blocked') {
      const refuse = (): never => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      }
      for (const name of ['indexedDB', 'caches'] as const) {
        Object.defineProperty(window, name, { get: refuse })
      }
      Object.defineProperty(navigator, 'serviceWorker', { get: refuse })
      Object.defineProperty(navigator, 'locks', { value: { request: async () => refuse() } })
    }
    // The page cannot remember that the wallet was chosen.
    addEventListener('DOMContentLoaded', () => {
      const script = document.createElement('script')
      script.src = '/devnet/wallet.js'
      document.head.append(script)
    })
  }, fault)
}
