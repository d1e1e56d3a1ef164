import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clock } from '../clock.ts'
import { memory } from '../testing/memory.ts'
import type { ConnectGuide } from './found-wallet.ts'
import type { InjectedProvider, InjectedTronWeb, WalletWindow } from './injected.ts'
import { ALICE, ORIGIN } from './testing/wallet-stands.ts'
import { WalletError, type WalletProblem } from './wallet-error.ts'
import { WalletStore } from './wallet-store.ts'

const BOB = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function pageWindow(globals: Partial<WalletWindow> = {}): WalletWindow {
  return Object.assign(new EventTarget(), { location: { origin: ORIGIN } }, globals)
}

function showing(address: string | false): InjectedTronWeb {
  return { defaultAddress: { base58: address } } as InjectedTronWeb
}

type FakeWallet = {
  provider: InjectedProvider & { tronWeb: InjectedTronWeb | false }
  emit(event: string): void
  listeners: Map<string, unknown>
}

/** A fake wallet that behaves like the real ones: locked until asked, then showing `address`. */
function wallet(address: string, answer?: () => unknown): FakeWallet {
  const listeners = new Map<string, (payload?: unknown) => void>()
  const provider: FakeWallet['provider'] = {
    tronWeb: false,
    request: vi.fn(async () => {
      if (answer) return await answer()
      provider.tronWeb = showing(address)
      return [address]
    }),
    on: (event, listener) => void listeners.set(event, listener),
    removeListener: (event) => void listeners.delete(event),
  }
  return { provider, emit: (event: string) => listeners.get(event)?.(), listeners }
}

function failsWith(code: number): () => Promise<unknown> {
  return () => Promise.reject(Object.assign(new Error(), { code }))
}

function never(): Promise<unknown> {
  return new Promise(() => {})
}

function announce(win: WalletWindow, name: string, provider: InjectedProvider): void {
  const detail = Object.freeze({
    info: { name, uuid: 'u', icon: 'data:image/png;base64,', rdns: 'r' },
    provider,
  })
  const announceNow = () =>
    win.dispatchEvent(new CustomEvent('TIP6963:announceProvider', { detail }))
  win.addEventListener('TIP6963:requestProvider', announceNow)
}

test('an announced wallet is found immediately and connects to its address', async () => {
  const win = pageWindow()
  const { provider } = wallet(ALICE)
  announce(win, 'TronLink', provider)
  const remembered = memory()
  const store = new WalletStore(win, remembered)
  store.start()
  expect(store.getState()).toMatchObject({ status: 'locked', walletName: 'TronLink' })

  await expect(store.connect()).resolves.toBe(ALICE)
  expect(store.getState()).toMatchObject({ status: 'connected', address: ALICE })
  expect(remembered.stored.get('wallet')).toBe('tronlink')
})

test('without a wallet the search ends after a second, and a late one is found by the 3 s poll', async () => {
  const win = pageWindow()
  const store = new WalletStore(win, memory())
  store.start()
  expect(store.getState().status).toBe('searching')
  vi.advanceTimersByTime(1000)
  expect(store.getState().status).toBe('absent')

  win.tronLink = { tronWeb: showing(ALICE) }
  win.tronWeb = showing(ALICE)
  vi.advanceTimersByTime(2000)
  expect(store.getState()).toMatchObject({ status: 'connected', address: ALICE })
})

test('a wallet with only window.tron needs no waiting', () => {
  const { provider } = wallet(ALICE)
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  store.start()
  expect(store.getState()).toMatchObject({ status: 'locked', walletName: 'TronLink' })
})

test('a wallet found in three ways is listed once, next to others', () => {
  const { provider } = wallet(ALICE)
  const other = wallet(BOB).provider
  const win = pageWindow({ tron: provider, tronLink: provider, okxwallet: { tronLink: other } })
  announce(win, 'TronLink', provider)
  const store = new WalletStore(win, memory())
  store.start()
  expect(store.getState().wallets.map(({ name }) => name)).toEqual(['TronLink', 'OKX Wallet'])
})

test('the wallet chosen before stays chosen', () => {
  const win = pageWindow({
    tron: { request: async () => [], tronWeb: showing(ALICE) },
    okxwallet: { tronLink: { request: async () => [], tronWeb: showing(BOB) } },
  })
  const store = new WalletStore(win, memory({ wallet: 'okx-wallet' }))
  store.start()
  expect(store.getState().address).toBe(BOB)
})

test('account switches and locks are followed by events, and network changes are counted', () => {
  const { provider, emit } = wallet(ALICE)
  provider.tronWeb = showing(ALICE)
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  store.start()
  provider.tronWeb = showing(BOB)
  emit('accountsChanged')
  expect(store.getState().address).toBe(BOB)

  emit('chainChanged')
  expect(store.getState().networkVersion).toBe(1)

  // Some wallets send the event first and lock afterwards.
  emit('accountsChanged')
  provider.tronWeb = showing(false)
  vi.advanceTimersByTime(250)
  expect(store.getState()).toMatchObject({ status: 'locked', address: undefined })
})

test("an older wallet's message is accepted only from this page", () => {
  const win = pageWindow({ tronLink: { request: async () => '' }, tronWeb: showing(ALICE) })
  const store = new WalletStore(win, memory())
  store.start()
  win.tronWeb = showing(BOB)
  const data = { isTronLink: true, message: { action: 'setAccount' } }
  win.dispatchEvent(new MessageEvent('message', { data, origin: 'https://elsewhere.example' }))
  expect(store.getState().address).toBe(ALICE)
  win.dispatchEvent(new MessageEvent('message', { data, origin: ORIGIN }))
  expect(store.getState().address).toBe(BOB)
})

test('the node is read again each time', () => {
  const { provider } = wallet(ALICE)
  provider.tronWeb = showing(ALICE)
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  const before = store.node()
  provider.tronWeb = showing(ALICE)
  expect(store.node()).not.toBe(before)
})

test('stopping unsubscribes from the wallet', () => {
  const { provider, listeners } = wallet(ALICE)
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  const stop = store.start()
  expect(listeners.size).toBe(4)
  stop()
  expect(listeners.size).toBe(0)
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ['declined', 'rejected', failsWith(4001)],
  ['declined by an older wallet', 'rejected', () => ({ code: 4001, message: 'no' })],
  ['a pop-up is open already', 'pending', failsWith(-32002)],
  ['a pop-up of an older wallet is open', 'pending', () => ({ code: 4000 })],
  ['an older wallet is locked', 'noAccount', () => ''],
  ['no account exists', 'noAccount', () => []],
] satisfies [string, WalletProblem, () => unknown][])(
  'connecting, %s: the text for "%s"',
  async (_case, problem, answer: () => unknown) => {
    const { provider } = wallet(ALICE, answer)
    const store = new WalletStore(pageWindow({ tron: provider }), memory())
    await expect(store.connect()).rejects.toMatchObject({
      problem,
      message: new WalletError(problem).message,
    })
  },
)

test('without any wallet the text suggests installing one', async () => {
  const store = new WalletStore(pageWindow(), memory())
  store.start()
  const outcome = expect(store.connect()).rejects.toThrow('Please install tronlink first!')
  await vi.advanceTimersByTimeAsync(1000)
  await outcome
})

test('a wallet that is still being loaded is waited for', async () => {
  const win = pageWindow()
  const store = new WalletStore(win, memory())
  store.start()
  await vi.advanceTimersByTimeAsync(1000)
  expect(store.getState().status).toBe('absent')
  const { promise, resolve } = Promise.withResolvers<void>()
  void store.expect(promise)
  expect(store.getState().status).toBe('searching')
  const connecting = store.connect()
  win.tron = wallet(ALICE).provider
  resolve()
  await expect(connecting).resolves.toBe(ALICE)
})

test('a press while the page opens gets the account as soon as the wallet shows it', async () => {
  const { provider } = wallet(ALICE)
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  store.start()
  expect(store.getState()).toMatchObject({ status: 'locked', isRestoring: true })
  const account = store.accountOfPress()
  provider.tronWeb = showing(ALICE)
  await vi.advanceTimersByTimeAsync(50)
  await expect(account).resolves.toBe(ALICE)

  provider.tronWeb = false
  vi.advanceTimersByTime(3000)
  expect(store.getState(), 'a wallet that locks itself is not late').toMatchObject({
    status: 'locked',
    isRestoring: false,
  })
})

test('a press waits for two seconds at most, and one after the start not at all', async () => {
  const win = pageWindow()
  const store = new WalletStore(win, memory())
  store.start()
  const { promise, resolve } = Promise.withResolvers<void>()
  void store.expect(promise)
  const answers: (string | undefined)[] = []
  const press = () => void store.accountOfPress().then((account) => answers.push(account))
  press()
  await vi.advanceTimersByTimeAsync(1999)
  expect(answers).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(answers).toEqual([undefined])

  await vi.advanceTimersByTimeAsync(1000)
  expect(store.getState().isRestoring, 'a wallet is still being loaded').toBe(true)
  resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(store.getState().isRestoring).toBe(false)
  press()
  await vi.advanceTimersByTimeAsync(0)
  expect(answers).toEqual([undefined, undefined])
})

test('a press before the page was suspended does nothing when the page resumes', async () => {
  const { provider } = wallet(ALICE)
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  store.start()
  const account = store.accountOfPress()
  vi.setSystemTime(clock.now().getTime() + 3_600_000)
  provider.tronWeb = showing(ALICE)
  await vi.advanceTimersByTimeAsync(50)
  expect(store.getState().address).toBe(ALICE)
  await expect(account).resolves.toBeUndefined()
})

test('a wallet that agrees and shows no address is "no account access"', async () => {
  const { provider } = wallet(ALICE, () => [ALICE])
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  const connecting = store.connect()
  const outcome = expect(connecting).rejects.toThrow(
    'Tronlink does not provide account access.Make sure you are logged in.',
  )
  await vi.advanceTimersByTimeAsync(2000)
  await outcome
})

test('a silent wallet is asked once and abandoned after ten attempts, one a second', async () => {
  const { provider } = wallet(ALICE, never)
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  let message = ''
  const connecting = store.connect().catch((error: Error) => {
    message = error.message
  })
  await vi.advanceTimersByTimeAsync(9_999)
  expect(message).toBe('')
  await vi.advanceTimersByTimeAsync(1)
  await connecting
  expect(message).toBe('Tronlink does not respond.Make sure you have logged in on Tronlink.')
  expect(provider.request).toHaveBeenCalledTimes(1)
})

test('after a prompt that was closed without an answer, the next attempt asks the wallet again', async () => {
  const { provider } = wallet(ALICE, never)
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  const first = expect(store.connect()).rejects.toMatchObject({ problem: 'noAnswer' })
  await vi.advanceTimersByTimeAsync(10_000)
  await first
  const left = new AbortController()
  const guide = { signal: left.signal } as ConnectGuide
  const second = expect(store.connect(undefined, guide)).rejects.toMatchObject({
    problem: 'cancelled',
  })
  await vi.advanceTimersByTimeAsync(1)
  expect(provider.request).toHaveBeenCalledTimes(2)
  left.abort()
  await second
  await vi.advanceTimersByTimeAsync(10_000)
  expect(provider.request, 'nothing is asked after that').toHaveBeenCalledTimes(2)
})

test('a signature that nobody waits for any more is not used', async () => {
  const { provider } = wallet(ALICE)
  const open = Promise.withResolvers<string>()
  provider.tronWeb = {
    ...showing(ALICE),
    trx: { signMessageV2: () => open.promise },
  } as unknown as InjectedTronWeb
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  const left = new AbortController()
  const signed = expect(store.signMessage('hello', left.signal)).rejects.toMatchObject({
    problem: 'cancelled',
  })
  left.abort()
  await signed
  open.reject(new Error('User rejected'))
})

test('a wallet that fails is asked again each second, ten times', async () => {
  const { provider } = wallet(ALICE, () => Promise.reject(new Error('port closed')))
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  const outcome = expect(store.connect()).rejects.toThrow('Tronlink does not respond')
  await vi.advanceTimersByTimeAsync(10_000)
  await outcome
  expect(provider.request).toHaveBeenCalledTimes(10)
})

test('a wallet that wakes up at the fifth second connects', async () => {
  const { provider } = wallet(ALICE, never)
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  const connecting = store.connect()
  await vi.advanceTimersByTimeAsync(4_500)
  provider.tronWeb = showing(ALICE)
  await vi.advanceTimersByTimeAsync(500)
  await expect(connecting).resolves.toBe(ALICE)
})

test('signing without a connected wallet is refused with a message', async () => {
  const { provider } = wallet(ALICE)
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  await expect(store.signMessage('hello')).rejects.toThrow(
    'TronLink is not connected. Please connect your wallet.',
  )
})

test('a declined signature is distinguished from a failed one, whatever the wallet throws', async () => {
  const { provider } = wallet(ALICE)
  const thrown: unknown[] = ['Confirmation declined by user', new Error('boom')]
  provider.tronWeb = {
    ...showing(ALICE),
    trx: { signMessageV2: () => Promise.reject(thrown.shift()) },
  } as unknown as InjectedTronWeb
  const store = new WalletStore(pageWindow({ tron: provider }), memory())
  await expect(store.signMessage('hello')).rejects.toMatchObject({ problem: 'rejected' })
  await expect(store.signMessage('hello')).rejects.toMatchObject({
    problem: 'failed',
    message: 'boom',
  })
})
