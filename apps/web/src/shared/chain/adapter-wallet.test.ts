import { BitKeepAdapter } from '@tronweb3/tronwallet-adapter-bitkeep'
import { ImTokenAdapter } from '@tronweb3/tronwallet-adapter-imtoken'
import { OkxWalletAdapter } from '@tronweb3/tronwallet-adapter-okxwallet'
import { TokenPocketAdapter } from '@tronweb3/tronwallet-adapter-tokenpocket'
import { TrustAdapter } from '@tronweb3/tronwallet-adapter-trust'
import { afterEach, expect, test, vi } from 'vitest'
import { KNOWN_WALLETS } from '../wallet/wallet-links.ts'
import { SLOW_SIGNING_MS } from './found-wallet.ts'
import type { InjectedTronWeb, UnsignedTransaction, WalletWindow } from './injected.ts'
import {
  ALICE,
  bitget,
  imToken,
  ORIGIN,
  okx,
  oneKey,
  type Stand,
  tokenPocket,
  trust,
} from './testing/wallet-stands.ts'
import { WalletError, type WalletProblem } from './wallet-error.ts'
import { WalletStore } from './wallet-store.ts'

const BOB = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
const TRANSACTION: UnsignedTransaction = { txID: 'aa', raw_data: {}, raw_data_hex: '' }
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64)'
const PHONE = 'Mozilla/5.0 (Linux; Android 15)'

const started: (() => void)[] = []
afterEach(async () => {
  vi.useRealTimers()
  await vi.dynamicImportSettled()
  for (const stop of started.splice(0)) stop()
  vi.unstubAllGlobals()
})

/** Adapters search for their wallets for several seconds, and longer than their test lasts. */
function endTimersWithPage(): void {
  const { setInterval } = globalThis
  vi.stubGlobal('setInterval', (...args: Parameters<typeof setInterval>) => {
    const timer = setInterval(...args)
    started.push(() => clearInterval(timer))
    return timer
  })
}

/** Sets up a page for the adapters, which use only global objects, until the test has ended. */
function openPage(userAgent = DESKTOP): WalletWindow {
  const location = { origin: ORIGIN, pathname: '/login', search: '', hash: '', href: ORIGIN }
  const navigator = { userAgent }
  const win = Object.assign(new EventTarget(), { location, navigator }) as WalletWindow
  vi.stubGlobal('window', win)
  vi.stubGlobal('document', {})
  vi.stubGlobal('navigator', navigator)
  vi.stubGlobal('location', location)
  endTimersWithPage()
  return win
}

const WALLETS = [
  ['OKX Wallet', okx],
  ['Bitget Wallet', bitget],
  ['TokenPocket', tokenPocket],
  ['Trust Wallet', trust],
  ['OneKey', oneKey],
] as const

function startStore(win: WalletWindow): WalletStore {
  const store = new WalletStore(win, { getItem: () => null, setItem: () => undefined })
  started.push(store.start())
  return store
}

test.each(WALLETS)('%s is found immediately, connects and signs', async (name, stand) => {
  const win = openPage()
  stand(win)
  const store = startStore(win)
  expect(store.getState()).toMatchObject({ status: 'locked', walletName: name })
  expect(store.getState().wallets).toHaveLength(1)

  await expect(store.connect()).resolves.toBe(ALICE)
  await expect(store.signMessage('hello')).resolves.toBe(`${ALICE} signs hello on first`)
  await expect(store.signTransaction(TRANSACTION)).resolves.toMatchObject({
    signature: ['first'],
  })
})

test.each(WALLETS)(
  '%s: a switch to another account is detected, and the new account signs',
  async (_name, stand) => {
    const win = openPage()
    const { switchTo } = stand(win)
    const store = startStore(win)
    await store.connect()
    await store.signMessage('first')
    switchTo(BOB)
    await vi.waitFor(() => expect(store.getState().address).toBe(BOB))
    await expect(store.signMessage('hello')).resolves.toBe(`${BOB} signs hello on first`)
  },
)

test.each(WALLETS)('%s: after a change of network the new TronWeb signs', async (_name, stand) => {
  const win = openPage()
  const { renewTronWeb } = stand(win)
  const store = startStore(win)
  await store.connect()
  await store.signMessage('first')
  renewTronWeb()
  await expect(store.signMessage('hello')).resolves.toBe(`${ALICE} signs hello on second`)
})

test.each(WALLETS)(
  '%s: an unannounced lock is resolved by connecting again',
  async (_name, stand) => {
    const win = openPage()
    const { person } = stand(win)
    const store = startStore(win)
    await store.connect()
    person.isConnected = false
    await expect(store.signMessage('hello')).rejects.toMatchObject({ problem: 'notConnected' })
    await expect(store.connect()).resolves.toBe(ALICE)
  },
)

const no = (code: number) => () => Promise.reject(Object.assign(new Error('no'), { code }))
const CASES: [string, string, WalletProblem, (win: WalletWindow) => Stand, () => unknown][] = [
  ['OKX Wallet', 'declined', 'rejected', okx, () => ({ code: 4001 })],
  ['OKX Wallet', 'a pop-up is open', 'pending', okx, () => ({ code: 4000 })],
  ['OKX Wallet', 'locked', 'noAccount', okx, () => ''],
  ['Bitget Wallet', 'declined', 'rejected', bitget, () => ({ code: 40001 })],
  ['Bitget Wallet', 'declined by throwing', 'rejected', bitget, no(4001)],
  ['Bitget Wallet', 'a pop-up is open', 'pending', bitget, no(-32002)],
  ['Trust Wallet', 'declined', 'rejected', trust, () => ({ code: 4001 })],
  ['Trust Wallet', 'a pop-up is open', 'pending', trust, () => ({ code: 4000 })],
  ['Trust Wallet', 'locked', 'noAccount', trust, () => ''],
  // Its codes mean the opposite of all other wallets' codes.
  ['OneKey', 'declined', 'rejected', oneKey, () => ({ code: 4000 })],
  ['OneKey', 'a pop-up is open', 'pending', oneKey, () => ({ code: 4001 })],
  ['OneKey', 'locked', 'noAccount', oneKey, () => ''],
  ['TokenPocket', 'declined', 'rejected', tokenPocket, no(4001)],
  ['TokenPocket', 'a pop-up is open', 'pending', tokenPocket, no(-32002)],
  ['TokenPocket', 'locked', 'noAccount', tokenPocket, () => []],
]
test.each(CASES)('%s, %s: the text for "%s"', async (_name, _case, problem, stand, answer) => {
  const win = openPage()
  stand(win).person.answer = answer
  await expect(startStore(win).connect()).rejects.toMatchObject({
    problem,
    message: new WalletError(problem).message,
    // When a wallet agrees but shows no address, no error is thrown.
    cause: problem === 'noAccount' ? undefined : { name: 'WalletConnectionError' },
  })
})

test.each(WALLETS)(
  '%s, silent: asked once, then abandoned after ten seconds',
  async (_name, stand) => {
    vi.useFakeTimers()
    const win = openPage()
    const asked = vi.fn(() => new Promise(() => undefined))
    stand(win).person.answer = asked
    const outcome = expect(startStore(win).connect()).rejects.toMatchObject({ problem: 'noAnswer' })
    await vi.advanceTimersByTimeAsync(10_000)
    await outcome
    expect(asked).toHaveBeenCalledTimes(1)
  },
)

test.each(WALLETS)('%s, failing: asked again each second, ten times', async (_name, stand) => {
  vi.useFakeTimers()
  const win = openPage()
  const asked = vi.fn(() => Promise.reject(new Error('port closed')))
  stand(win).person.answer = asked
  const outcome = expect(startStore(win).connect()).rejects.toMatchObject({ problem: 'noAnswer' })
  await vi.advanceTimersByTimeAsync(10_500)
  await outcome
  expect(asked).toHaveBeenCalledTimes(10)
})

test.each(WALLETS)('%s is found and connects when it is injected late', async (name, stand) => {
  const win = openPage()
  const store = startStore(win)
  expect(store.getState().status).toBe('searching')
  stand(win)
  store.look()
  expect(store.getState()).toMatchObject({ status: 'locked', walletName: name })
  await expect(store.connect()).resolves.toBe(ALICE)
})

test.each(WALLETS)(
  '%s declines a signature: the message for that is shown',
  async (_name, stand) => {
    const win = openPage()
    stand(win)
    const store = startStore(win)
    await store.connect()
    const { trx } = store.node() as InjectedTronWeb
    trx.signMessageV2 = (): Promise<never> => Promise.reject('Confirmation declined by user')
    trx.sign = (): Promise<never> => Promise.reject(Object.assign(new Error('no'), { code: 4001 }))
    // The adapter's own error as the cause shows that the adapter was used.
    const isRejected = (name: string) => ({ problem: 'rejected', cause: { name } })
    await expect(store.signMessage('hello')).rejects.toMatchObject(
      isRejected('WalletSignMessageError'),
    )
    await expect(store.signTransaction(TRANSACTION)).rejects.toMatchObject(
      isRejected('WalletSignTransactionError'),
    )
  },
)

test('a Bitget without the objects that its adapter needs is used directly', async () => {
  const win = openPage()
  bitget(win)
  delete win.isBitKeep
  const store = startStore(win)
  await expect(store.connect()).resolves.toBe(ALICE)
  expect(store.getState().walletName).toBe('Bitget Wallet')
  const declined = Object.assign(new Error('no'), { code: 4001 })
  const { trx } = store.node() as InjectedTronWeb
  trx.signMessageV2 = () => Promise.reject(declined)
  await expect(store.signMessage('hello')).rejects.toMatchObject({ cause: declined })
})

test('imToken shows its account without a request, and signs through its adapter', async () => {
  const win = openPage(PHONE)
  imToken(win)
  const store = startStore(win)
  expect(store.getState()).toMatchObject({
    status: 'connected',
    walletName: 'imToken',
    address: ALICE,
  })
  expect(store.getState().wallets).toHaveLength(1)
  await expect(store.signMessage('hello')).resolves.toBe(`${ALICE} signs hello on first`)
  const { trx } = store.node() as InjectedTronWeb
  trx.sign = () => Promise.reject('Confirmation declined by user')
  await expect(store.signTransaction(TRANSACTION)).rejects.toMatchObject({
    problem: 'rejected',
    cause: { name: 'WalletSignTransactionError' },
  })
})

test('a locked imToken has no account to give', async () => {
  vi.useFakeTimers()
  const win = openPage(PHONE)
  imToken(win).person.isConnected = false
  const outcome = expect(startStore(win).connect()).rejects.toMatchObject({ problem: 'noAccount' })
  await vi.advanceTimersByTimeAsync(2_500)
  await outcome
})

test.each([...WALLETS, ['imToken', imToken] as const])(
  '%s without V2 messages: the error names the wallet and what to do',
  async (name, stand) => {
    const win = openPage()
    stand(win)
    const store = startStore(win)
    await store.connect()
    Reflect.deleteProperty((store.node() as InjectedTronWeb).trx, 'signMessageV2')
    await expect(store.signMessage('hello')).rejects.toMatchObject({
      problem: 'cannotSignMessages',
      message: `${name} cannot sign the message that logs you in (Tron message V2). Update ${name}, or use another wallet.`,
    })
  },
)

test('wallets on a phone and wallets with a hardware device get more time to sign', async () => {
  const timeOn = async (stand: (win: WalletWindow) => unknown, userAgent: string) => {
    const win = openPage(userAgent)
    stand(win)
    const store = startStore(win)
    await store.connect()
    return store.extraSigningMs()
  }
  expect(await timeOn(okx, DESKTOP)).toBe(0)
  expect(await timeOn(okx, PHONE)).toBe(SLOW_SIGNING_MS)
  expect(await timeOn(imToken, PHONE)).toBe(SLOW_SIGNING_MS)
  expect(await timeOn(oneKey, DESKTOP)).toBe(SLOW_SIGNING_MS)
})

test("another wallet's objects in TronLink's place are not listed as TronLink", () => {
  const win = openPage()
  okx(win)
  Object.assign(win, { tronLink: win.okxwallet?.tronLink })
  bitget(win)
  const store = startStore(win)
  expect(store.getState().wallets.map(({ name }) => name)).toEqual(['OKX Wallet', 'Bitget Wallet'])
})

test.each([
  ['OKX Wallet', OkxWalletAdapter],
  ['Bitget Wallet', BitKeepAdapter],
  ['TokenPocket', TokenPocketAdapter],
  ['Trust Wallet', TrustAdapter],
  ['imToken', ImTokenAdapter],
] as const)(
  'our link into the app of %s equals the one that its adapter opens',
  async (name, Adapter) => {
    const { location } = openPage(PHONE) as unknown as { location: { href: string } }
    const page = `${ORIGIN}/login`
    location.href = page
    const adapter = new Adapter({ checkTimeout: 0 })
    await expect(adapter.connect()).rejects.toThrow()
    const ours = KNOWN_WALLETS.find((wallet) => wallet.name === name)?.appLink?.(page)
    expect(pointOf(ours)).toEqual(pointOf(location.href))
  },
)

/** A link without the identifiers that its app does not need. */
function pointOf(link = ''): unknown {
  const { protocol, host, pathname, searchParams } = new URL(link)
  const parameters = [...searchParams].map(([key, value]) => {
    if (!value.startsWith('{')) return [key, value]
    const { actionId: _id, callbackUrl: _url, ...order } = JSON.parse(value)
    return [key, order]
  })
  return { protocol, host, pathname, parameters }
}
