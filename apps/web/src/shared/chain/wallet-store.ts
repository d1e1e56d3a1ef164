import { clock } from '../clock.ts'
import { endedWith } from '../lib/ended-with.ts'
import { Listeners } from '../lib/listeners.ts'
import { peek } from '../lib/peek.ts'
import type { Memory } from '../lib/stored-list.ts'
import { connectWallet } from './connect-wallet.ts'
import { announcedCandidate, findWallets } from './discover-wallets.ts'
import type { ConnectGuide, FoundWallet, WalletCandidate } from './found-wallet.ts'
import type { SignedTransaction, TronNode, UnsignedTransaction, WalletWindow } from './injected.ts'
import { readFailure } from './read-failure.ts'
import { toWalletError, WalletError } from './wallet-error.ts'
import { isWalletMessage } from './wallet-events.ts'

export type WalletStatus = 'searching' | 'absent' | 'locked' | 'connected'

export type WalletState = {
  status: WalletStatus
  address: string | undefined
  walletName: string | undefined
  /** Whether the chosen wallet is outside the page, so that connecting it may need the user's help. */
  isRemote: boolean
  /** Whether the page has just opened, so that the wallet of an earlier visit may still show its account. */
  isRestoring: boolean
  wallets: { id: string; name: string; icon: string | undefined; isRemote: boolean }[]
  /** Increases when the wallet switches networks; anything read before belongs to the old network. */
  networkVersion: number
}

const POLL_MS = 3000
/** Extensions inject around page load; these early checks find them without waiting for the next poll. */
const EARLY_LOOKS_MS = [50, 200, 500, 1500]
const GIVE_UP_SEARCH_MS = 1000
/** Enough for the settings to arrive and for a wallet's code to load; after that it counts as not connected. */
const GIVE_UP_RESTORING_MS = 3000
/** A button press waits no longer for the account, because a later reaction would surprise the user. */
const PRESS_WAITS_MS = 2000
/** Some wallets emit the event before they update the address. */
const SETTLE_MS = 250
const CHOSEN_WALLET_KEY = 'wallet'
/** For wallets in the page, which show everything needed themselves. */
const NO_GUIDE: ConnectGuide = {
  signal: new AbortController().signal,
  showLink() {
    throw new WalletError('notConnected')
  },
  chooseAccount: () => Promise.reject(new WalletError('notConnected')),
  pickAccount: () => Promise.reject(new WalletError('notConnected')),
}

/**
 * Finds the browser's Tron wallets and tracks the account of the chosen one. It holds no key and sends the wallet no
 * request until `connect`.
 */
export class WalletStore {
  readonly #win: WalletWindow
  readonly #memory: Memory
  readonly #listeners = new Listeners()
  readonly #announced = new Map<string, WalletCandidate>()
  readonly #remote: FoundWallet[] = []
  #followed: { source: unknown; stop(): void } | undefined
  #settling: ReturnType<typeof setTimeout> | undefined
  #isSearchOver = false
  #isRestoringOver = false
  #awaited = 0
  #state: WalletState = {
    status: 'searching',
    address: undefined,
    walletName: undefined,
    isRemote: false,
    isRestoring: true,
    wallets: [],
    networkVersion: 0,
  }

  constructor(win: WalletWindow, memory: Memory) {
    this.#win = win
    this.#memory = memory
  }

  readonly getState = (): WalletState => this.#state

  readonly subscribe = this.#listeners.subscribe

  /** Starts searching for wallets. @returns a function that stops the search */
  readonly start = (): (() => void) => {
    const stop = new AbortController()
    this.#win.addEventListener('TIP6963:announceProvider', this.#onAnnounce, {
      signal: stop.signal,
    })
    this.#win.addEventListener('message', this.#onMessage, { signal: stop.signal })
    const timers = EARLY_LOOKS_MS.map((ms) => setTimeout(this.look, ms))
    timers.push(setTimeout(this.#endSearch, GIVE_UP_SEARCH_MS))
    timers.push(setTimeout(this.#endRestoring, GIVE_UP_RESTORING_MS))
    const poll = setInterval(this.look, POLL_MS)
    this.look()
    return () => {
      stop.abort()
      for (const timer of timers) clearTimeout(timer)
      clearInterval(poll)
      clearTimeout(this.#settling)
      this.#followed?.stop()
      this.#followed = undefined
    }
  }

  /** Checks for wallets and the address now instead of at the next poll. */
  readonly look = (): void => {
    this.#win.dispatchEvent(new Event('TIP6963:requestProvider'))
    this.#refresh()
  }

  /** Adds remote wallets to those that can be chosen. */
  readonly offer = (...wallets: FoundWallet[]): void => {
    this.#remote.push(...wallets)
    this.#refresh()
  }

  /** Keeps the search open until `arrival` has settled, for a wallet that is still being loaded. */
  readonly expect = async (arrival: Promise<void>): Promise<void> => {
    this.#awaited++
    this.#refresh()
    await arrival
    this.#awaited--
    this.look()
  }

  /**
   * Asks a wallet for its account; without an ID, the one chosen before, otherwise the default. Remote wallets need the
   * guide's help.
   * @returns the address
   * @throws WalletError
   */
  readonly connect = async (walletId?: string, guide = NO_GUIDE): Promise<string> => {
    this.look()
    // A wallet that is about to appear is not reported missing.
    await this.#until(({ status }) => status !== 'searching')
    const wallet = walletId ? this.#found().find(({ id }) => id === walletId) : this.#active()
    if (!wallet) throw new WalletError('notInstalled')
    await connectWallet(wallet, guide)
    this.#memory.setItem(CHOSEN_WALLET_KEY, wallet.id)
    this.#refresh()
    const address = wallet.address()
    if (!address) throw new WalletError('noAccount')
    return address
  }

  /**
   * Returns the account for a button's action. While it is being restored, waits for it for at most two seconds.
   * @returns undefined if there is no account by then
   */
  readonly accountOfPress = async (): Promise<string | undefined> => {
    if (!this.#state.isRestoring) return this.#state.address
    const deadline = clock.now().getTime() + PRESS_WAITS_MS
    await this.#until(({ isRestoring }) => !isRestoring, PRESS_WAITS_MS)
    // A page that was suspended meanwhile resumes long after the press.
    return clock.now().getTime() < deadline ? this.#state.address : undefined
  }

  /** @throws WalletError, `cancelled` once the signal is aborted, whatever the wallet does then */
  readonly signMessage = async (text: string, signal?: AbortSignal): Promise<string> => {
    const wallet = this.#connected()
    const answer = await endedWith(wallet.signMessage(text), signal, () => {
      wallet.giveUp()
      return new WalletError('cancelled')
    })
    if (isSignature(answer)) return answer
    throw toWalletError(answer)
  }

  /** @throws WalletError */
  readonly signTransaction = async (
    transaction: UnsignedTransaction,
  ): Promise<SignedTransaction> => {
    const signed = await this.#connected().signTransaction(transaction)
    const signatures = peek(signed, 'signature')
    if (Array.isArray(signatures) && signatures.every(isSignature)) return signed
    throw toWalletError(signed)
  }

  /**
   * The connected wallet's current node. Do not keep it: wallets replace it when the network changes.
   * @throws WalletError `notConnected`
   */
  readonly node = (): TronNode => {
    const node = this.#connected().node()
    if (!node) throw new WalletError('notConnected')
    return node
  }

  /** How much longer than usual transactions for the connected wallet stay valid. @throws WalletError `notConnected` */
  readonly extraSigningMs = (): number => this.#connected().extraSigningMs

  /** Asks the wallet to switch networks. @throws WalletError */
  readonly switchNetwork = async (chainId: string): Promise<void> => {
    await this.#active()?.switchNetwork(chainId)
  }

  #connected(): FoundWallet {
    const active = this.#active()
    if (!active?.address()) throw new WalletError('notConnected')
    return active
  }

  /** Resolves when the state satisfies `isWanted`, or after `withinMs`. */
  #until(isWanted: (state: WalletState) => boolean, withinMs?: number): Promise<void> {
    if (isWanted(this.#state)) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        stop()
        clearTimeout(timer)
        resolve()
      }
      const timer = withinMs === undefined ? undefined : setTimeout(end, withinMs)
      const stop = this.subscribe(() => {
        if (isWanted(this.#state)) end()
      })
    })
  }

  readonly #endSearch = (): void => {
    this.#isSearchOver = true
    this.#refresh()
  }

  readonly #endRestoring = (): void => {
    this.#isRestoringOver = true
    this.#refresh()
  }

  readonly #onAnnounce = (event: Event): void => {
    const wallet = announcedCandidate(peek(event, 'detail'))
    if (!wallet) return
    const id = this.#idOf(wallet)
    if (this.#announced.get(id)?.provider === wallet.provider) return
    this.#announced.set(id, { ...wallet, id })
    this.#refresh()
  }

  /** Two wallets may give themselves the same name; the same wallet again, as after an update, replaces itself. */
  #idOf({ id, rdns, provider }: WalletCandidate): string {
    const known = this.#announced.get(id)
    const isSame = !known || known.provider === provider || known.rdns === rdns
    return isSame ? id : `${id}-${rdns ?? 'other'}`
  }

  readonly #onMessage = (event: Event): void => {
    if (isWalletMessage(event as MessageEvent<unknown>, this.#win.location.origin)) {
      this.#onWalletEvent('accountsChanged')
    }
  }

  readonly #onWalletEvent = (event: string): void => {
    this.#refresh(event === 'chainChanged' ? 1 : 0)
    clearTimeout(this.#settling)
    this.#settling = setTimeout(() => this.#refresh(), SETTLE_MS)
  }

  #found(): FoundWallet[] {
    const inPage = findWallets(this.#win, this.#announced.values())
    const remote = this.#remote.filter(({ id }) => !inPage.some((wallet) => wallet.id === id))
    return [...inPage, ...remote]
  }

  /** The wallet chosen before, otherwise the first in the page that shows an address, otherwise the first there. */
  #active(): FoundWallet | undefined {
    const wallets = this.#found()
    const chosen = this.#memory.getItem(CHOSEN_WALLET_KEY)
    const inPage = wallets.filter(({ isRemote }) => !isRemote)
    return (
      wallets.find(({ id }) => id === chosen) ??
      inPage.find((wallet) => wallet.address()) ??
      inPage[0]
    )
  }

  #refresh(networkChanges = 0): void {
    const active = this.#active()
    this.#follow(active)
    const address = active?.address()
    // A wallet that shows an account and then hides it again is locked, not late.
    this.#isRestoringOver ||= address !== undefined
    const next: WalletState = {
      status: active ? (address ? 'connected' : 'locked') : this.#statusWithout(),
      address,
      walletName: active?.name,
      isRemote: active?.isRemote ?? false,
      isRestoring: address === undefined && !(this.#isRestoringOver && this.#awaited === 0),
      wallets: this.#found().map(({ id, name, icon, isRemote }) => ({ id, name, icon, isRemote })),
      networkVersion: this.#state.networkVersion + networkChanges,
    }
    if (JSON.stringify(next) === JSON.stringify(this.#state)) return
    this.#state = next
    this.#listeners.call()
  }

  #statusWithout(): WalletStatus {
    return this.#isSearchOver && this.#awaited === 0 ? 'absent' : 'searching'
  }

  #follow(wallet: FoundWallet | undefined): void {
    if (this.#followed?.source === wallet?.source) return
    this.#followed?.stop()
    this.#followed = wallet && {
      source: wallet.source,
      stop: wallet.follow(this.#onWalletEvent),
    }
  }
}

/** Some wallets answer with a refusal, or with nothing, instead of failing. */
function isSignature(answer: unknown): answer is string {
  const isText = typeof answer === 'string' && answer !== ''
  return isText && readFailure(answer).meaning === 'unclear'
}
