import { createHash } from 'node:crypto'
import type { Page } from '@playwright/test'
import { TronWeb } from 'tronweb'
import { sign } from 'viem/accounts'
import type { DemoAccount } from '../outside/outside-client.ts'

/** Signs as MetaMask's Tron Snap does: messages as version 2, transactions by the hash of their bytes. */
async function signFor(account: DemoAccount, method: string, params: string): Promise<string> {
  const key = account.tron_private_key
  const asked = JSON.parse(params) as { message?: string; transaction?: { rawDataHex: string } }
  if (method === 'signMessage') {
    const text = Buffer.from(asked.message ?? '', 'base64').toString()
    return new TronWeb({ fullHost: 'http://127.0.0.1:1' }).trx.signMessageV2(text, key)
  }
  const raw = Buffer.from(asked.transaction?.rawDataHex ?? '', 'hex')
  const hash = `0x${createHash('sha256').update(raw).digest('hex')}` as const
  return (await sign({ hash, privateKey: `0x${key}`, to: 'hex' })).slice(2)
}

/**
 * Simulates MetaMask's extension for a page that cannot use its Chrome port: announces it as a wallet for other chains,
 * and answers the calls of the Multichain API (CAIP-25, CAIP-27) that arrive as window messages.
 * @returns the methods that were called, oldest first
 */
export async function installMetaMask(page: Page, account: DemoAccount): Promise<string[]> {
  const called: string[] = []
  await page.exposeFunction('metaMaskSigns', (method: string, params: string) => {
    called.push(method)
    return signFor(account, method, params)
  })
  await page.addInitScript((address) => {
    type Request = { id: number; method: string; params?: Record<string, unknown> }
    const signs = Reflect.get(window, 'metaMaskSigns') as (m: string, p: string) => Promise<string>
    const name = 'metamask-multichain-provider'
    let sessionScopes: Record<string, object> = {}
    const answer = async ({ method, params = {} }: Request) => {
      if (method === 'wallet_createSession') {
        const scopes = Object.keys((params.optionalScopes ?? {}) as object)
        const entries = scopes.map((scope) => [scope, { accounts: [`${scope}:${address}`] }])
        sessionScopes = { ...sessionScopes, ...Object.fromEntries(entries) }
      }
      if (method === 'wallet_invokeMethod') {
        const request = params.request as { method: string; params: object }
        return { signature: await signs(request.method, JSON.stringify(request.params)) }
      }
      return { sessionScopes }
    }
    window.addEventListener('message', async ({ data }) => {
      if (data?.target !== 'metamask-contentscript' || data.data?.name !== name) return
      const request = data.data.data as Request
      const reply = { jsonrpc: '2.0', id: request.id, result: await answer(request) }
      window.postMessage(
        { target: 'metamask-inpage', data: { name, data: reply } },
        location.origin,
      )
    })
    const provider = { request: async () => null }
    const info = {
      uuid: 'm',
      name: 'MetaMask',
      icon: 'data:image/png;base64,',
      rdns: 'io.metamask',
    }
    const announce = () =>
      window.dispatchEvent(
        new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
      )
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  }, account.tron_address)
  return called
}
