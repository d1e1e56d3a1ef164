import { BitKeepAdapter } from '@tronweb3/tronwallet-adapter-bitkeep'
import { OkxWalletAdapter } from '@tronweb3/tronwallet-adapter-okxwallet'
import { TokenPocketAdapter } from '@tronweb3/tronwallet-adapter-tokenpocket'
import { afterEach, expect, test, vi } from 'vitest'
import { KNOWN_WALLETS } from '../wallet/wallet-links.ts'
import type { InjectedTronWeb, UnsignedTransaction, WalletWindow } from './injected.ts'
import { WalletError, type WalletProblem } from './wallet-error.ts'
import { WalletStore } from './wallet-store.ts'

const ALICE = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const BOB = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
const ORIGIN = 'http://localhost:3000'
const TRANSACTION: UnsignedTransaction = { txID: 'aa', raw_data: {}, raw_data_hex: '' }
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64)'
const PHONE = 'Mozilla/5.0 (Linux; Android 15)'

const started: (() => void)[] = []
afterEach(() => {
  for (const stop of started.splice(0)) stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Makes a page for the adapters, which use only global objects. */
function openPage(userAgent = DESKTOP): WalletWindow {
  const location = { origin: ORIGIN, pathname: '/login', search: '', hash: '', href: ORIGIN }
  const navigator = { userAgent }
  const win = Object.assign(new EventTarget(), { location, navigator }) as WalletWindow
  vi.stubGlobal('window', win)
  vi.stubGlobal('document', {})
  vi.stubGlobal('navigator', navigator)
  vi.stubGlobal('location', location)
  return win
}

type Person = { address: string; isConnected: boolean; answer: () => unknown }

/** A fake of a wallet that behaves like the real one, with its user. */
type Stand = {
  person: Person
  /** Notifies the page of another account, in the wallet's own way. */
  switchTo(address: string): void
  /** Switches the network: wallets then put a new TronWeb into the page. */
  renewTronWeb(): void
}

function tronWebOf(person: Person, node: string): InjectedTronWeb {
  return {
    get defaultAddress() {
      return { base58: person.isConnected && person.address }
    },
    trx: {
      signMessageV2: async (text: string) => `${person.address} signs ${text} on ${node}`,
      sign: async (transaction: UnsignedTransaction) => ({ ...transaction, signature: [node] }),
    },
  } as InjectedTronWeb
}

function newPerson(): Person {
  return { address: ALICE, isConnected: false, answer: () => 'yes' }
}

async function ask(person: Person, granted: (address: string) => unknown): Promise<unknown> {
  const answer = await person.answer()
  if (answer !== 'yes') return answer
  person.isConnected = true
  return granted(person.address)
}

function okx(win: WalletWindow): Stand {
  const person = newPerson()
  const own = {
    ready: true,
    tronWeb: tronWebOf(person, 'first'),
    request: () => ask(person, () => ({ code: 200 })),
  }
  win.okxwallet = { tronLink: own }
  return {
    person,
    switchTo(address) {
      person.address = address
      const message = { action: 'accountsChanged', data: { address } }
      win.dispatchEvent(new MessageEvent('message', { data: { message }, origin: ORIGIN }))
    },
    renewTronWeb: () => {
      own.tronWeb = tronWebOf(person, 'second')
    },
  }
}

function bitget(win: WalletWindow): Stand {
  const person = newPerson()
  const own = {
    get ready() {
      return person.isConnected
    },
    tronWeb: tronWebOf(person, 'first'),
    request: () => ask(person, () => ({ code: 200 })),
  }
  const bitkeep = { tronLink: own, tronWeb: own.tronWeb }
  Object.assign(win, { bitkeep, isBitKeep: true, tronLink: own, tronWeb: own.tronWeb })
  return {
    person,
    switchTo(address) {
      person.address = address
      const data = { isTronLink: true, message: { action: 'setAccount', data: { address } } }
      win.dispatchEvent(new MessageEvent('message', { data, origin: ORIGIN }))
    },
    renewTronWeb() {
      own.tronWeb = tronWebOf(person, 'second')
      bitkeep.tronWeb = own.tronWeb
      win.tronWeb = own.tronWeb
    },
  }
}

function tokenPocket(win: WalletWindow): Stand {
  const person = newPerson()
  const events = new EventTarget()
  const heard = new Map<unknown, (event: Event) => void>()
  const provider = {
    tronWeb: false as InjectedTronWeb | false,
    request: () =>
      ask(person, (address) => {
        provider.tronWeb ||= tronWebOf(person, 'first')
        return [address]
      }),
    on(name: string, listener: (payload?: unknown) => void) {
      const forward = (event: Event) => listener((event as CustomEvent).detail)
      heard.set(listener, forward)
      events.addEventListener(name, forward)
    },
    removeListener(name: string, listener: unknown) {
      events.removeEventListener(name, heard.get(listener) ?? null)
    },
  }
  const detail = { info: { name: 'TokenPocket', uuid: 'u', icon: '', rdns: 'r' }, provider }
  win.addEventListener('TIP6963:requestProvider', () =>
    win.dispatchEvent(new CustomEvent('TIP6963:announceProvider', { detail })),
  )
  return {
    person,
    switchTo(address) {
      person.address = address
      events.dispatchEvent(new CustomEvent('accountsChanged', { detail: [address] }))
    },
    renewTronWeb: () => {
      provider.tronWeb = tronWebOf(person, 'second')
    },
  }
}

const WALLETS = [
  ['OKX Wallet', okx, OkxWalletAdapter],
  ['Bitget Wallet', bitget, BitKeepAdapter],
  ['TokenPocket', tokenPocket, TokenPocketAdapter],
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
  '%s: another account is followed, and it is the one that signs',
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
    const { trx } = store.tronWeb()
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
  store.tronWeb().trx.signMessageV2 = () => Promise.reject(declined)
  await expect(store.signMessage('hello')).rejects.toMatchObject({ cause: declined })
})

test("another wallet's objects in TronLink's place are not called TronLink", () => {
  const win = openPage()
  okx(win)
  Object.assign(win, { tronLink: win.okxwallet?.tronLink })
  bitget(win)
  const store = startStore(win)
  expect(store.getState().wallets.map(({ name }) => name)).toEqual(['OKX Wallet', 'Bitget Wallet'])
})

test.each(WALLETS)(
  'our link into the app of %s equals the one that its adapter opens',
  async (name, _stand, Adapter) => {
    const { location } = openPage(PHONE) as unknown as { location: { href: string } }
    const page = `${ORIGIN}/login`
    location.href = page
    const adapter = new Adapter({ checkTimeout: 0 })
    await expect(adapter.connect()).rejects.toThrow()
    const ours = KNOWN_WALLETS.find((wallet) => wallet.name === name)?.appLink(page)
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
