import type { Page } from '@playwright/test'
import { createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { OutsideHolder } from '../outside/outside-client.ts'

type Request = { method: string; params?: readonly unknown[] }
type Sent = { from: Hex; to: Hex; data: Hex; value: Hex; chainId: Hex }

/**
 * Adds a BSC wallet with the holder's own key to the page, announced like an extension (EIP-6963). It starts on another
 * network. @returns the requests that it received
 */
export async function installBscWallet(
  page: Page,
  holder: OutsideHolder,
  { isSilent = false } = {},
): Promise<Request[]> {
  const asked: Request[] = []
  const account = privateKeyToAccount(holder.account.bsc_private_key)
  const { rpc } = holder.info.bsc
  const wallet = createWalletClient({ account, transport: http(rpc) })
  let chainId = '0x1'
  const answer = async ({ method, params = [] }: Request): Promise<unknown> => {
    asked.push({ method, params })
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [account.address]
    if (method === 'eth_chainId') return chainId
    if (method === 'wallet_switchEthereumChain') {
      chainId = (params[0] as { chainId: string }).chainId
      return null
    }
    if (method === 'eth_sendTransaction') {
      const { to, data } = params[0] as Sent
      // Its window is open, or was closed without an answer: nobody can tell.
      if (isSilent) return new Promise(() => undefined)
      return wallet.sendTransaction({ to, data, chain: null })
    }
    const reply = await fetch(rpc, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return ((await reply.json()) as { result: unknown }).result
  }
  await page.exposeFunction('askBscWallet', answer)
  await page.addInitScript(() => {
    const provider = {
      async request(asking: object) {
        const ask = Reflect.get(window, 'askBscWallet') as (asking: object) => Promise<unknown>
        return ask(asking)
      },
    }
    const detail = Object.freeze({ info: { uuid: 'test', name: 'Test Wallet' }, provider })
    window.addEventListener('eip6963:requestProvider', () => {
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    })
  })
  return asked
}
