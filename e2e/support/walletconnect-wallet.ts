import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { SignClient } from '@walletconnect/sign-client'
import { TronWeb } from 'tronweb'
import { WebSocketServer } from 'ws'
import type { DemoAccount } from '../outside/outside-client.ts'
import { alter } from './provoke.ts'
import { WalletConnectRelay } from './walletconnect-relay.ts'

const PROJECT_ID = '0'.repeat(32)
const METHODS = ['tron_signTransaction', 'tron_signMessage']

/** A wallet on another device: WalletConnect's own client, with a holder's key. */
export type WalletConnectWallet = {
  /** Scans the page's QR code, and approves the connection. */
  scan(uri: string): Promise<void>
  /** The methods that the page called, oldest first. */
  called: string[]
  stop(): Promise<void>
}

/** Offers WalletConnect on the page, with a relay in this process, and starts a wallet that uses the same relay. */
export async function walletConnectWallet(
  page: Page,
  account: DemoAccount,
  options: { methods?: string[] } = {},
): Promise<WalletConnectWallet> {
  const relay = new WalletConnectRelay()
  await page.routeWebSocket(/^wss:\/\/relay\.walletconnect\.org/, (socket) => {
    const send = (text: string) => socket.send(text)
    socket.onMessage((text) => relay.receive(String(text), send))
    socket.onClose(() => relay.leave(send))
  })
  await alter<object>(page, '/api/config', (config) => ({
    ...config,
    walletconnect_project_id: PROJECT_ID,
  }))
  await page.addInitScript(failVerification)
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  server.on('connection', (socket) => {
    const send = (text: string) => socket.send(text)
    socket.on('message', (text) => relay.receive(String(text), send))
    socket.on('close', () => relay.leave(send))
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = await SignClient.init({
    projectId: PROJECT_ID,
    relayUrl: `ws://127.0.0.1:${port}`,
    telemetryEnabled: false,
    storageOptions: { database: ':memory:' },
    // Clients with the same prefix share a connection, even one to a relay that has been stopped.
    customStoragePrefix: randomUUID(),
    metadata: { name: 'Phone wallet', description: '', url: 'https://phone.example', icons: [] },
  })
  const called: string[] = []
  answerProposals(client, { account, methods: options.methods ?? METHODS })
  answerRequests(client, { account, called })
  return {
    called,
    scan: async (uri) => void (await client.core.pairing.pair({ uri })),
    async stop() {
      await client.core.relayer.transportClose()
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}

/**
 * Runs in the page. Makes the frame that tells wallets which site is asking fail immediately, as if its host were
 * unreachable. Otherwise the client would wait five seconds for it before each request.
 */
function failVerification(): void {
  const fail = (node: Node) => {
    const isFrame = node instanceof HTMLIFrameElement && /verify\.walletconnect/.test(node.src)
    if (isFrame) queueMicrotask(() => node.dispatchEvent(new Event('error')))
  }
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) addedNodes.forEach(fail)
  }).observe(document, { childList: true, subtree: true })
}

type Client = Awaited<ReturnType<typeof SignClient.init>>

function answerProposals(client: Client, wish: { account: DemoAccount; methods: string[] }): void {
  client.on('session_proposal', async ({ id, params }) => {
    const { tron } = { ...params.requiredNamespaces, ...params.optionalNamespaces }
    const chains = tron?.chains ?? []
    const accounts = chains.map((chain) => `${chain}:${wish.account.tron_address}`)
    const namespaces = { tron: { chains, accounts, methods: wish.methods, events: [] } }
    await client.approve({ id, namespaces })
  })
}

function answerRequests(client: Client, known: { account: DemoAccount; called: string[] }): void {
  const key = known.account.tron_private_key
  const { trx } = new TronWeb({ fullHost: 'http://127.0.0.1:1' })
  client.on('session_request', async ({ topic, id, params }) => {
    const { method, params: asked } = params.request
    known.called.push(method)
    const result =
      method === 'tron_signMessage'
        ? { signature: await trx.signMessageV2(asked.message, key) }
        : await trx.sign(asked.transaction.transaction, key)
    await client.respond({ topic, response: { id, jsonrpc: '2.0', result } })
  })
}
