import type { Page } from '@playwright/test'

type Behaviour = 'silent' | 'empty' | 'failing'

/**
 * Injects an extension that misbehaves in ways that the development wallet doesn't: it never answers, returns no
 * account, or fails with an unknown error.
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

/** The times at which the wallet was asked to connect, by the page's clock. */
export function timesAsked(page: Page): Promise<number[]> {
  return page.evaluate(() => Reflect.get(window, 'timesAsked') as number[])
}

/** Injects a wallet without events, whose address is only found by polling. Records the times of all polls. */
export async function injectQuietWallet(page: Page, address: string): Promise<void> {
  await page.evaluate((base58) => {
    const polls: number[] = []
    const quiet = {
      get defaultAddress() {
        polls.push(Date.now())
        return { base58 }
      },
    }
    Object.assign(window, { tronWeb: quiet, pollTimes: polls })
  }, address)
}

export async function pollTimesOf(page: Page): Promise<number[]> {
  const polls = await page.evaluate(() => Reflect.get(window, 'pollTimes') as number[])
  return [...new Set(polls)]
}
