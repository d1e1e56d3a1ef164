import type { Page } from '@playwright/test'

/** What a page asked of its wallet: to connect, to sign a text or a transaction, or something of a BSC wallet. */
type WalletQuestion =
  | { what: 'connect' }
  | { what: 'signMessage'; text: string }
  | { what: 'sign' }
  | { what: 'bsc'; method: string; params: readonly unknown[] }
/** A consent, a refusal by its user, what a BSC wallet returns, something else that it throws, or no answer at all. */
type WalletAnswer =
  | 'yes'
  | 'no'
  | 'nothing'
  | { result: unknown }
  | { thrown: { message: string | null; value: string | null } }

type Decide = (question: WalletQuestion) => WalletAnswer | Promise<WalletAnswer>

/** The wallet of a tab, as far as a page can tell: who is asked, and what was asked, oldest first. */
export type PageWallet = {
  asked: WalletQuestion[]
  /** Decides from now on; by default its user agrees to everything. */
  answerBy(decide: Decide): void
  /** Shows another account to the page, as when its user chooses one; without an address, none. */
  showAccount(address: string | undefined): Promise<void>
}

/** Where a page finds who its wallet belongs to. */
export const WALLET_ENTRY = 'walletOfTest'
type WalletEntry = { tron: string; bsc?: string; isConnected: boolean }

/** Gives each document of a tab whose storage names a wallet's owner that wallet; the test answers for its user. */
export async function installPageWallet(page: Page): Promise<PageWallet> {
  let decideNow: Decide = () => 'yes'
  const asked: WalletQuestion[] = []
  await page.exposeFunction('askWalletOfTest', (question: WalletQuestion) => {
    asked.push(question)
    return decideNow(question)
  })
  await page.addInitScript(injectWallet, WALLET_ENTRY)
  return {
    asked,
    answerBy(decide) {
      decideNow = decide
    },
    showAccount: (address) =>
      page.evaluate((shown) => {
        const show = Reflect.get(window, 'showWalletAccount') as (address?: string) => void
        show(shown)
      }, address),
  }
}

/** Runs in the page, before its own scripts: like TronLink, and like a BSC wallet if the entry names an account there. */
function injectWallet(entryName: string): void {
  if (!/^https?:$/.test(location.protocol)) return
  const stored = localStorage.getItem(entryName)
  if (stored === null) return
  const entry = JSON.parse(stored) as WalletEntry
  const listeners = new Map<string, Set<(payload: unknown) => void>>()

  const ask = async (question: WalletQuestion): Promise<unknown> => {
    const put = Reflect.get(window, 'askWalletOfTest') as (
      question: WalletQuestion,
    ) => Promise<WalletAnswer>
    const answer = await put(question)
    if (answer === 'nothing') return new Promise(() => undefined)
    if (answer === 'no') throw Object.assign(new Error('Declined'), { code: 4001 })
    if (answer === 'yes') return undefined
    if ('result' in answer) return answer.result
    const { message, value } = answer.thrown
    const plain: unknown = value === null ? undefined : JSON.parse(value)
    throw message === null ? plain : Object.assign(new Error(message), plain)
  }
  const show = (address: string | undefined) => {
    Object.assign(entry, { isConnected: address !== undefined, tron: address ?? entry.tron })
    localStorage.setItem(entryName, JSON.stringify(entry))
    const payload = address === undefined ? [] : [address]
    for (const listener of listeners.get('accountsChanged') ?? []) listener(payload)
  }
  const tronWeb = {
    get ready() {
      return entry.isConnected
    },
    get defaultAddress() {
      return { base58: entry.isConnected && entry.tron }
    },
    trx: {
      async sign(transaction: object) {
        await ask({ what: 'sign' })
        return { ...transaction, signature: ['00'] }
      },
      async signMessageV2(text: string) {
        await ask({ what: 'signMessage', text })
        return `0x${'00'.repeat(65)}`
      },
    },
    fullNode: {
      async request(path: string, payload: object) {
        const headers = { 'content-type': 'application/json' }
        const body = JSON.stringify(payload)
        return (await fetch(`/tron/${path}`, { method: 'POST', headers, body })).json()
      },
    },
  }
  const provider = {
    isTronLink: true,
    async request({ method }: { method: string }) {
      if (method !== 'eth_requestAccounts') throw Object.assign(new Error(method), { code: 4200 })
      if (!entry.isConnected) {
        await ask({ what: 'connect' })
        show(entry.tron)
      }
      return [entry.tron]
    },
    on(event: string, listener: (payload: unknown) => void) {
      const others = listeners.get(event) ?? new Set()
      listeners.set(event, others.add(listener))
    },
    removeListener(event: string, listener: (payload: unknown) => void) {
      listeners.get(event)?.delete(listener)
    },
    get tronWeb() {
      return entry.isConnected ? tronWeb : false
    },
  }
  Object.assign(window, { tron: provider, tronWeb, showWalletAccount: show })
  if (entry.bsc === undefined) return
  const bsc = {
    request: ({ method, params = [] }: { method: string; params?: unknown[] }) =>
      ask({ what: 'bsc', method, params }),
  }
  const detail = Object.freeze({ info: { uuid: 'test', name: 'Test Wallet' }, provider: bsc })
  addEventListener('eip6963:requestProvider', () => {
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  })
}
