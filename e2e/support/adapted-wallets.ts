import type { Page } from '@playwright/test'

export type AdaptedWallet =
  | 'OKX Wallet'
  | 'Bitget Wallet'
  | 'TokenPocket'
  | 'Trust Wallet'
  | 'OneKey'
  | 'imToken'

/**
 * Makes the development wallet look like another one to the page: its keys and pop-ups are used through the objects that
 * the other wallet injects, and TronLink's objects are removed.
 */
export async function disguiseWallet(page: Page, name: AdaptedWallet): Promise<void> {
  await page.addInitScript((worn) => {
    type Provider = {
      tronWeb: unknown
      on(event: string, listener: (payload: string[]) => void): void
    }
    const places = window as unknown as Record<string, unknown>
    const announcement = 'TIP6963:announceProvider'

    function dress(provider: Provider): void {
      const { tronWeb } = places
      const legacy = places.tronLink as { request(asked: object): Promise<unknown> }
      for (const place of ['tron', 'tronLink', 'tronWeb']) delete places[place]
      const tronLink = {
        get ready() {
          return provider.tronWeb !== false
        },
        tronWeb,
        request: (asked: object) => legacy.request(asked),
      }
      if (worn === 'OKX Wallet') {
        places.okxwallet = { tronLink }
        provider.on('accountsChanged', ([address]) => {
          const message = { action: 'accountsChanged', data: { address: address ?? '' } }
          window.postMessage({ message }, location.origin)
        })
      } else if (worn === 'Bitget Wallet') {
        Object.assign(places, {
          isBitKeep: true,
          bitkeep: { tronLink, tronWeb },
          tronLink,
          tronWeb,
        })
      } else if (worn === 'Trust Wallet') {
        places.trustwallet = { tronLink }
      } else if (worn === 'OneKey') {
        const on = provider.on.bind(provider)
        places.$onekey = { tron: Object.assign(tronLink, { on, removeListener() {} }) }
      } else if (worn === 'imToken') {
        Object.assign(tronWeb as object, { ready: true })
        Object.assign(places, { imToken: {}, tronWeb })
      } else if (worn === 'TokenPocket') {
        const info = { uuid: '1', name: worn, rdns: 'pro.tokenpocket' }
        const announce = () => {
          const detail = Object.freeze({ info, provider })
          window.dispatchEvent(new CustomEvent(announcement, { detail }))
        }
        window.addEventListener('TIP6963:requestProvider', announce)
        announce()
      } else {
        throw new Error(`No disguise as ${worn satisfies never}`)
      }
    }

    let isDressed = false
    window.addEventListener(announcement, (event) => {
      const { info, provider } = (event as CustomEvent).detail
      if (info.name !== 'TronLink') return
      event.stopImmediatePropagation()
      if (!isDressed) dress(provider)
      isDressed = true
    })
    window.addEventListener('message', (event) => {
      if (event.data?.isTronLink) event.stopImmediatePropagation()
    })
  }, name)
}
