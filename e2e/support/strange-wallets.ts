import type { Page } from '@playwright/test'

/** How often a strange wallet was asked to connect, and when (in the page's time). */
export type Asked = number[]
type Behaviour = 'silent' | 'empty' | 'failing'

/**
 * An extension that misbehaves, which our development wallet never does: it answers nothing at all, shows no account,
 * or fails for reasons of its own.
 */
export async function installStrangeWallet(page: Page, behaviour: Behaviour): Promise<void> {
  await page.addInitScript((kind) => {
    const asked: number[] = []
    const request = ({ method }: { method: string }) => {
      if (method === 'eth_requestAccounts') asked.push(Date.now())
      if (kind === 'silent') return new Promise(() => undefined)
      if (kind === 'empty') return Promise.resolve([])
      return Promise.reject(new Error('The extension lost its background page'))
    }
    Object.assign(window, { tron: { isTronLink: true, request }, timesAsked: asked })
  }, behaviour)
}

export function timesAsked(page: Page): Promise<Asked> {
  return page.evaluate(() => Reflect.get(window, 'timesAsked') as number[])
}

/** A wallet without events: its address is only seen by polling. Records the times of all polls. */
export async function injectQuietWallet(page: Page, address: string): Promise<void> {
  await page.evaluate((base58) => {
    const looks: number[] = []
    const quiet = {
      get defaultAddress() {
        looks.push(Date.now())
        return { base58 }
      },
    }
    Object.assign(window, { tronWeb: quiet, timesLooked: looks })
  }, address)
}

export async function looksAtWallet(page: Page): Promise<number[]> {
  const looks = await page.evaluate(() => Reflect.get(window, 'timesLooked') as number[])
  return [...new Set(looks)]
}
