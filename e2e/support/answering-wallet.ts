import type { Page } from '@playwright/test'

/** Something that a wallet throws, as it can be handed to a page: errors keep their message and all of their fields. */
type Handed = { message: string | null; value: string | null }

function handOver(thrown: unknown): Handed {
  const isError = thrown instanceof Error
  const value = isError ? { ...thrown, name: thrown.name } : thrown
  return { message: isError ? thrown.message : null, value: JSON.stringify(value) ?? null }
}

/**
 * Injects a Tron wallet (as TronLink is) and a BSC wallet, which carry out what they are asked until they are told what to
 * throw instead when asked to connect, to sign or to send.
 */
export function installAnsweringWallets(
  page: Page,
  accounts: { tron: string; bsc: string; bscNode: string; isConnected: boolean },
): Promise<unknown> {
  return page.addInitScript(({ tron, bsc, bscNode, isConnected }) => {
    const answers: { next?: Handed } = {}
    const asked: string[] = []
    const revive = ({ message, value }: Handed): unknown => {
      const plain: unknown = value === null ? undefined : JSON.parse(value)
      return message === null ? plain : Object.assign(new Error(message), plain)
    }
    const answer = async (what: string, usual: () => unknown) => {
      asked.push(what)
      if (answers.next !== undefined) throw revive(answers.next)
      return usual()
    }
    const trx = {
      sign: (transaction: object) => answer('sign', () => ({ ...transaction, signature: ['00'] })),
      signMessageV2: () => answer('signMessage', () => '0x'),
    }
    const fullNode = {
      async request(path: string, payload: object) {
        const reply = await fetch(`/tron/${path}`, {
          method: 'POST',
          body: JSON.stringify(payload),
        })
        return reply.json()
      },
    }
    const defaultAddress = { base58: isConnected && tron }
    const tronWeb = { ready: isConnected, defaultAddress, trx, fullNode }
    const request = () => answer('connect', () => [tron])
    const provider = {
      async request({ method, params }: { method: string; params?: unknown[] }) {
        if (method === 'eth_sendTransaction') return answer('send', () => null)
        if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [bsc]
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] })
        const reply = await fetch(bscNode, { method: 'POST', body })
        return (await reply.json()).result
      },
    }
    const detail = Object.freeze({ info: { uuid: 'test', name: 'Test Wallet' }, provider })
    window.addEventListener('eip6963:requestProvider', () => {
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    })
    Object.assign(window, { tron: { isTronLink: true, request, tronWeb }, tronWeb })
    Object.assign(window, { walletAnswers: answers, walletAsked: asked })
  }, accounts)
}

/** Has both wallets throw this from now on. */
export function haveWalletsThrow(page: Page, thrown: unknown): Promise<void> {
  return page.evaluate((handed) => {
    const answers = Reflect.get(window, 'walletAnswers') as { next?: Handed }
    answers.next = handed
  }, handOver(thrown))
}

/** What the wallets were asked since the last look. */
export function takeAsked(page: Page): Promise<string[]> {
  return page.evaluate(() => (Reflect.get(window, 'walletAsked') as string[]).splice(0))
}
