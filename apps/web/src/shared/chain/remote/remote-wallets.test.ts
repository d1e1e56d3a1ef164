import { afterEach, expect, test, vi } from 'vitest'
import { memory } from '../../testing/memory.ts'
import type { ConnectGuide } from '../found-wallet.ts'
import type { InjectedTronWeb, WalletWindow } from '../injected.ts'
import { ALICE } from '../testing/wallet-stands.ts'
import { WalletStore } from '../wallet-store.ts'
import { browserNode } from './browser-node.ts'
import { type RemoteConnection, remoteWallet } from './remote-wallet.ts'
import { remoteWallets } from './remote-wallets.ts'

const SETTINGS = {
  fullHost: 'https://node.example/',
  chainId: '0xcd8690dc',
  brand: 'DCT',
  origin: 'https://dct.example',
  walletConnectProjectId: null,
}
const GUIDE: ConnectGuide = {
  signal: new AbortController().signal,
  showLink: () => undefined,
  chooseAccount: async (read) => (await read(0))[0] ?? { index: 0, address: '' },
  pickAccount: async ([first = '']) => first,
}
const node = browserNode(SETTINGS.fullHost)

afterEach(() => vi.unstubAllGlobals())

function pageWith(navigator: object): Parameters<typeof remoteWallets>[0] {
  return Object.assign(new EventTarget(), { navigator, localStorage: {} }) as never
}

function announceMetaMask(page: EventTarget, rdns: string): void {
  const detail = { info: { name: 'MetaMask', rdns }, provider: {} }
  page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
}

test('a browser offers what it can reach: Ledger over USB, WalletConnect with a project, MetaMask once announced', () => {
  const found: string[] = []
  const offered = (page: Parameters<typeof remoteWallets>[0], projectId: string | null) =>
    remoteWallets(page, { ...SETTINGS, walletConnectProjectId: projectId }, ({ name }) =>
      found.push(name),
    ).map(({ name }) => name)

  expect(offered(pageWith({ userAgent: '' }), null)).toEqual([])
  expect(offered(pageWith({ userAgent: '', hid: {} }), null)).toEqual(['Ledger'])
  const page = pageWith({ userAgent: '', hid: {} })
  expect(offered(page, 'ab'.repeat(16))).toEqual(['WalletConnect', 'Ledger'])
  announceMetaMask(page, 'com.other')
  expect(found).toEqual([])
  announceMetaMask(page, 'io.metamask')
  announceMetaMask(page, 'io.metamask')
  expect(found).toEqual(['MetaMask'])
})

/** A remote wallet that grants access to its account on request, and remembers it. */
function remote(memory: { address?: string }) {
  const listeners = new Set<() => void>()
  const connection: RemoteConnection = {
    address: () => memory.address,
    async connect() {
      memory.address = ALICE
    },
    signMessage: async (text) => `signed ${text}`,
    signTransaction: async (transaction) => ({ ...transaction, signature: ['00'] }),
    follow(onChange) {
      listeners.add(onChange)
      return () => void listeners.delete(onChange)
    },
  }
  const load = vi.fn(async () => connection)
  const wallet = remoteWallet({ id: 'ledger', name: 'Ledger', node, load })
  const change = (address: string | undefined) => {
    if (address === undefined) delete memory.address
    else memory.address = address
    for (const listener of listeners) listener()
  }
  return { wallet, load, change }
}

function storeIn(win: object, stored?: Record<string, string>): WalletStore {
  const page = Object.assign(new EventTarget(), { location: { origin: '' } }, win) as WalletWindow
  return new WalletStore(page, memory(stored))
}

test('a remote wallet is used only when it is chosen, and its code is loaded then', async () => {
  const { wallet, load } = remote({})
  const store = storeIn({})
  const stop = store.start()
  store.offer(wallet)
  expect(store.getState().wallets).toMatchObject([{ id: 'ledger', isRemote: true }])
  await expect(store.connect()).rejects.toMatchObject({ problem: 'notInstalled' })
  expect(load).not.toHaveBeenCalled()

  await expect(store.connect('ledger', GUIDE)).resolves.toBe(ALICE)
  expect(store.getState()).toMatchObject({ status: 'connected', isRemote: true, address: ALICE })
  await expect(store.signMessage('hello')).resolves.toBe('signed hello')
  expect(store.node()).toBe(node)
  expect(load).toHaveBeenCalledTimes(1)
  stop()
})

test('a wallet in the page stays the default next to a remote one, and is used until another is chosen', async () => {
  const tronWeb = { defaultAddress: { base58: ALICE } } as InjectedTronWeb
  const { wallet, load } = remote({})
  const store = storeIn({ tron: { request: async () => [ALICE], tronWeb } })
  store.offer(wallet)
  await store.connect()
  expect(store.getState()).toMatchObject({ walletName: 'TronLink', isRemote: false })
  expect(load).not.toHaveBeenCalled()
  await store.connect('ledger', GUIDE)
  expect(store.getState()).toMatchObject({ walletName: 'Ledger', isRemote: true })
})

test('after a reload the chosen wallet is restored without a prompt, and its changes are followed', async () => {
  const { wallet, load, change } = remote({ address: ALICE })
  // Not started, so that nothing polls: every change seen came from a notification.
  const store = storeIn({}, { wallet: 'ledger' })
  store.offer(wallet)
  await vi.waitFor(() => expect(store.getState().address).toBe(ALICE))
  expect(load).toHaveBeenCalledTimes(1)
  change(undefined)
  expect(store.getState()).toMatchObject({ status: 'locked', walletName: 'Ledger' })
})

test('the errors of a remote wallet are reported like those of any other', async () => {
  const { wallet, load } = remote({})
  load.mockRejectedValueOnce(new Error('offline'))
  expect(await wallet.ask(GUIDE)).toMatchObject({ problem: 'failed' })
  load.mockResolvedValue({
    ...(await load()),
    connect: () => Promise.reject(Object.assign(new Error('no'), { code: 4001 })),
  })
  expect(await wallet.ask(GUIDE)).toMatchObject({ problem: 'rejected' })
})

test('our own node is queried the way wallets query theirs', async () => {
  const asked: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    asked.push([method, url, JSON.parse(`${body}`)])
    return Response.json({ blockID: 'ab' })
  })
  const answer = await node.fullNode.request('wallet/getblockbynum', { num: 0 }, 'post')
  expect(answer).toEqual({ blockID: 'ab' })
  expect(asked).toEqual([['POST', 'https://node.example/wallet/getblockbynum', { num: 0 }]])
})
