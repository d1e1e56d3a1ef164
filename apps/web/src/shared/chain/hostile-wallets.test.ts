import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memory } from '../testing/memory.ts'
import type { InjectedProvider, WalletWindow } from './injected.ts'
import { requireNetwork } from './require-network.ts'
import { ALICE, ORIGIN } from './testing/wallet-stands.ts'
import { WalletError } from './wallet-error.ts'
import { WalletStore } from './wallet-store.ts'

/** Wallets that put other things into the page than agreed. */
beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const BOB = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
const thrower = () => {
  throw new Error('a getter that fails')
}
const failing = (...keys: string[]) =>
  Object.defineProperties(
    {},
    Object.fromEntries(keys.map((key) => [key, { get: thrower, enumerable: true }])),
  )
/** A proxy that refuses everything. */
const sealed = new Proxy({}, { get: thrower, has: thrower, ownKeys: thrower })

/** A wallet that shows ALICE once asked. */
function good(address: unknown = ALICE): InjectedProvider {
  const provider: InjectedProvider = {
    tronWeb: false,
    request: async () => {
      provider.tronWeb = { defaultAddress: { base58: address } } as never
      return [address]
    },
  }
  return provider
}

function pageWith(globals: object = {}): WalletWindow {
  const win = Object.assign(new EventTarget(), { location: { origin: ORIGIN } })
  return Object.defineProperties(win, Object.getOwnPropertyDescriptors(globals)) as WalletWindow
}
function announce(win: EventTarget, detail: unknown): void {
  win.dispatchEvent(new CustomEvent('TIP6963:announceProvider', { detail }))
}
function started(win: WalletWindow): WalletStore {
  const store = new WalletStore(win, memory())
  store.start()
  return store
}
const namesIn = (store: WalletStore) => store.getState().wallets.map(({ name }) => name)

test.each([
  ['a getter that fails', failing('okxwallet', 'bitkeep', 'tokenpocket', 'trustwallet', '$onekey')],
  ['a getter inside that fails', { okxwallet: failing('tronLink'), bitkeep: failing('tronLink') }],
  ['a proxy that refuses everything', { okxwallet: sealed, trustwallet: sealed, imToken: sealed }],
  ['other types', { okxwallet: 'yes', bitkeep: { tronLink: 7 }, trustwallet: { tronLink: true } }],
  ['TronLink’s objects failing', failing('tronLink', 'tronWeb', 'isBitKeep')],
  ['TronLink’s objects of other types', { tronLink: 'x', tronWeb: 1, tokenpocket: null }],
])('%s in the page hides no other wallet', async (_case, globals) => {
  const win = pageWith({ tron: good() })
  Object.defineProperties(win, Object.getOwnPropertyDescriptors(globals))
  const store = started(win)
  expect(namesIn(store)).toContain('TronLink')
  await expect(store.connect('tronlink')).resolves.toBe(ALICE)
})

test.each([
  ['no icon', { info: { name: 'Good Wallet' } }],
  ['an icon of another type', { info: { name: 'Good Wallet', icon: {} } }],
  ['an icon that fails', { info: Object.assign(failing('icon'), { name: 'Good Wallet' }) }],
  ['no name', { info: { rdns: 'Good Wallet' } }],
  ['a name of another type', { info: { name: 5, rdns: 'Good Wallet' } }],
])('an announcement with %s is listed', (_case, { info }) => {
  const win = pageWith()
  const store = started(win)
  announce(win, { info, provider: good() })
  expect(namesIn(store)).toEqual(['Good Wallet'])
})

test('a name without a Latin letter is listed', () => {
  const win = pageWith()
  const store = started(win)
  announce(win, { info: { name: '欧易钱包', rdns: 'com.okx' }, provider: good() })
  expect(namesIn(store)).toEqual(['欧易钱包'])
})

test.each([
  undefined,
  null,
  5,
  sealed,
  { info: sealed, provider: sealed },
  { info: { name: 'x' }, provider: { request: 'no function' } },
])('an announcement that cannot be used (%#) changes nothing', (detail) => {
  const win = pageWith({ tron: good() })
  const store = started(win)
  announce(win, detail)
  expect(namesIn(store)).toEqual(['TronLink'])
})

test('two wallets of the same name are both listed, and neither replaces the other', async () => {
  const win = pageWith()
  const store = started(win)
  const [one, other] = [good(ALICE), good(BOB)]
  for (const provider of [one, other, one, other]) {
    const rdns = provider === one ? 'org.tronlink.www' : 'com.other'
    announce(win, { info: { name: 'TronLink', rdns }, provider })
  }
  expect(namesIn(store)).toEqual(['TronLink', 'TronLink'])
  const [first, second] = store.getState().wallets
  await expect(store.connect(second?.id)).resolves.toBe(BOB)
  await expect(store.connect(first?.id)).resolves.toBe(ALICE)
})

test('a wallet that was updated replaces itself', () => {
  const win = pageWith()
  const store = started(win)
  for (const provider of [good(), good()]) {
    announce(win, { info: { name: 'TronLink', rdns: 'org.tronlink.www' }, provider })
  }
  expect(namesIn(store)).toEqual(['TronLink'])
})

test.each([
  ['0x', `0x${'11'.repeat(20)}`],
  ['hex', `41${'11'.repeat(20)}`],
  ['a number', 5],
  ['an object', { address: ALICE }],
])('a wallet that shows an address of another kind (%s) is refused by name', async (_, shown) => {
  const win = pageWith()
  const store = started(win)
  announce(win, { info: { name: 'Good Wallet' }, provider: good(shown) })
  const refused = expect(store.connect()).rejects.toMatchObject({
    problem: 'otherKind',
    message: new WalletError('otherKind', { wallet: 'Good Wallet' }).message,
  })
  await vi.advanceTimersByTimeAsync(15_000)
  await refused
  expect(store.getState()).toMatchObject({ address: undefined, status: 'locked' })
})

test('a wallet that only answers with an address of another kind is refused by name', async () => {
  const win = pageWith({ tron: { request: async () => [`0x${'11'.repeat(20)}`], tronWeb: false } })
  const refused = expect(started(win).connect()).rejects.toMatchObject({ problem: 'otherKind' })
  await vi.advanceTimersByTimeAsync(15_000)
  await refused
})

test('an answer that is text and not a list counts', async () => {
  const tronWeb = { defaultAddress: { base58: '' } }
  const request = async () => {
    tronWeb.defaultAddress.base58 = ALICE
    return ALICE
  }
  const tron = { tronWeb, request }
  await expect(started(pageWith({ tron })).connect()).resolves.toBe(ALICE)
})

test('a wallet that cannot be listened to is polled', async () => {
  const provider = Object.assign(good(), { on: thrower, removeListener: 'nothing' })
  const store = started(pageWith({ tron: provider }))
  await expect(store.connect()).resolves.toBe(ALICE)
  provider.tronWeb = { defaultAddress: { base58: BOB } } as never
  await vi.advanceTimersByTimeAsync(3000)
  expect(store.getState().address).toBe(BOB)
})

test('an address that cannot be read is none, and stops nothing', async () => {
  const tronWeb = failing('defaultAddress')
  const store = started(pageWith({ tron: { request: async () => [ALICE], tronWeb } }))
  expect(store.getState().status).toBe('locked')
  const refused = expect(store.connect()).rejects.toMatchObject({ problem: 'noAccount' })
  await vi.advanceTimersByTimeAsync(15_000)
  await refused
})

const MAIN = 0x2b6653dc
/** A wallet whose node reports these chains in turn. */
function onChains(...ids: string[]) {
  const left = [...ids]
  const request = async () => ({ blockID: `00${left.length > 1 ? left.shift() : left[0]}` })
  return { node: () => ({ fullNode: { request } }) }
}

test('a wallet that shows the new network late is looked at again', async () => {
  const wallet = onChains('cd8690dc', 'cd8690dc', 'cd8690dc', '2b6653dc')
  const required = requireNetwork({ ...wallet, switchNetwork: async () => undefined }, MAIN)
  await vi.advanceTimersByTimeAsync(5000)
  await expect(required).resolves.toBeUndefined()
})

test.each([
  ['rejected', 'rejected'],
  ['pending', 'pending'],
  ['failed', 'otherNetwork'],
  ['otherNetwork', 'otherNetwork'],
] as const)('a switch that ends as %s and changes nothing is %s', async (problem, shown) => {
  const switchNetwork = () => Promise.reject(new WalletError(problem))
  const required = requireNetwork({ ...onChains('cd8690dc'), switchNetwork }, MAIN)
  const refused = expect(required).rejects.toMatchObject({ problem: shown })
  await vi.advanceTimersByTimeAsync(5000)
  await refused
})

test('a switch that fails although the network has changed counts', async () => {
  const switchNetwork = () => Promise.reject(new WalletError('failed'))
  const required = requireNetwork({ ...onChains('cd8690dc', '2b6653dc'), switchNetwork }, MAIN)
  await vi.advanceTimersByTimeAsync(5000)
  await expect(required).resolves.toBeUndefined()
})
