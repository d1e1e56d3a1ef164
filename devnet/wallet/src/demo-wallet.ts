import { TronWeb } from 'tronweb'
import { describeTransaction } from './describe-transaction.ts'
import { type DemoAccount, type DevnetInfo, onThisOrigin } from './devnet-api.ts'
import { importedAccount, readPrivateKey } from './imported-account.ts'
import { alreadyPending, declined } from './provider-error.ts'
import { readSettings, type WalletSettings, writeSettings } from './wallet-settings.ts'

/** A prompt that the user must confirm. */
export type WalletQuestion = {
  title: string
  account: DemoAccount
  facts: [label: string, value: string][]
  text?: string
}

export type AskUser = (question: WalletQuestion) => Promise<boolean>
type Listener = (payload?: unknown) => void

/**
 * A wallet for demo accounts that behaves like an extension: it shows its account only to authorised sites, signs only
 * what the user has confirmed, and emits an event for every change.
 */
export class DemoWallet {
  readonly tronWeb: TronWeb
  readonly chainId: string
  readonly #info: DevnetInfo
  readonly #askUser: AskUser
  readonly #listeners = new Map<string, Set<Listener>>()
  #settings: WalletSettings = readSettings()
  #questions: Promise<unknown> = Promise.resolve()
  #isConnecting = false

  constructor(info: DevnetInfo, askUser: AskUser) {
    this.#info = info
    this.#askUser = askUser
    this.chainId = `0x${info.tron.chain_id.toString(16)}`
    this.tronWeb = new TronWeb({ fullHost: onThisOrigin(info.tron.full_host) })
    this.#askBeforeSigning()
    this.#showAddress()
  }

  get settings(): WalletSettings {
    return this.#settings
  }

  get accounts(): readonly DemoAccount[] {
    return [...this.#info.accounts, ...this.#settings.importedAccounts]
  }

  get account(): DemoAccount {
    const { accounts } = this
    const chosen = accounts.find(({ tron_address }) => tron_address === this.#settings.account)
    const account = chosen ?? accounts.find(({ role }) => role === 'holder') ?? accounts[0]
    if (!account) throw new Error('The development network has no accounts')
    return account
  }

  /** The address currently visible to the site. */
  get address(): string | undefined {
    const { isConnected, isLocked } = this.#settings
    return isConnected && !isLocked ? this.account.tron_address : undefined
  }

  on(event: string, listener: Listener): void {
    const listeners = this.#listeners.get(event) ?? new Set()
    this.#listeners.set(event, listeners.add(listener))
  }

  off(event: string, listener: Listener): void {
    this.#listeners.get(event)?.delete(listener)
  }

  /** Authorises the site. @throws ProviderError 4001 or -32002 */
  async connect(): Promise<string> {
    if (this.address) return this.address
    if (this.#isConnecting) throw alreadyPending()
    this.#isConnecting = true
    try {
      const title = this.#settings.isLocked ? 'Unlock and connect' : 'Connect this site'
      await this.#agree({ title, facts: [['Site', location.origin]] })
      this.change({ isConnected: true, isLocked: false })
      return this.account.tron_address
    } finally {
      this.#isConnecting = false
    }
  }

  /** Adds the account of a private key and selects it. @throws RangeError */
  importKey(privateKey: string): DemoAccount {
    const account = importedAccount(readPrivateKey(privateKey))
    const { tron_address } = account
    const others = this.#settings.importedAccounts.filter(
      (one) => one.tron_address !== tron_address,
    )
    this.change({ importedAccounts: [...others, account], account: tron_address })
    return account
  }

  /** Changes settings and notifies the site of relevant changes. */
  change(changes: Partial<WalletSettings>): void {
    const before = this.address
    this.#settings = { ...this.#settings, ...changes }
    writeSettings(this.#settings)
    this.#showAddress()
    if (before !== this.address) this.#announceAddress(before)
    this.#emit('settingsChanged', this.#settings)
  }

  #showAddress(): void {
    if (this.address) this.tronWeb.setAddress(this.address)
    else this.tronWeb.defaultAddress = { hex: false, base58: false }
  }

  #announceAddress(before: string | undefined): void {
    const { address } = this
    if (!before) this.#emit('connect', { chainId: this.chainId })
    this.#emit('accountsChanged', address ? [address] : [])
    if (!address) this.#emit('disconnect', { code: 4900, message: 'Disconnected' })
    const message = { action: 'setAccount', data: { address: address ?? false } }
    window.postMessage({ isTronLink: true, message }, location.origin)
  }

  #emit(event: string, payload: unknown): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(payload)
  }

  /** Shows one prompt at a time. @throws ProviderError 4001 */
  async #agree(question: Omit<WalletQuestion, 'account'>): Promise<DemoAccount> {
    const { account } = this
    const asked = this.#questions.then(
      () => this.#settings.isAutoApproving || this.#askUser({ ...question, account }),
    )
    this.#questions = asked
    if (!(await asked)) throw declined()
    return account
  }

  #askBeforeSigning(): void {
    const { trx } = this.tronWeb
    const sign = trx.sign.bind(trx) as (payload: unknown, key: string) => Promise<unknown>
    const signMessage = trx.signMessageV2.bind(trx)
    const asking = {
      sign: async (payload: unknown) => {
        const facts = describeTransaction(payload, this.#info)
        const account = await this.#agree({ title: 'Sign this transaction', facts })
        return sign(payload, account.tron_private_key)
      },
      signMessageV2: async (text: string) => {
        const account = await this.#agree({ title: 'Sign this message', facts: [], text })
        return signMessage(text, account.tron_private_key)
      },
    }
    Object.assign(trx, asking)
  }
}
