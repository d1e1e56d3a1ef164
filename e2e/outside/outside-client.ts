import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { TronWeb } from 'tronweb'
import { createPublicClient, createWalletClient, type Hex, http, parseAbi, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { DemoAccount, DevnetInfo, PendingFee } from './published-shapes.ts'

export type { DemoAccount, DevnetInfo, PendingFee } from './published-shapes.ts'

const USDT_ABI = parseAbi([
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
])
const FEE_LIMIT_SUN = 500_000_000
const INCLUDED_WITHIN_MS = 20_000

type Reply = { status: number; body: unknown; headers: Headers }
type ContractArgument = { type: string; value: unknown }

/** Creates an account with a new key, which works on both chains. */
export function newAccount(name = 'Fresh holder'): DemoAccount {
  const key = randomBytes(32).toString('hex')
  const address = TronWeb.address.fromPrivateKey(key)
  if (!address) throw new Error('The key has no address')
  return {
    name,
    role: 'holder',
    tron_address: address,
    tron_private_key: key,
    bsc_address: privateKeyToAccount(`0x${key}`).address,
    bsc_private_key: `0x${key}`,
  }
}

/** A holder who knows only the published interfaces: HTTP calls, a Tron node's API, a BSC node's JSON-RPC. */
export class OutsideHolder {
  readonly base: string
  readonly info: DevnetInfo
  readonly account: DemoAccount
  readonly tron: TronWeb
  #token = ''

  constructor(options: { base: string; info: DevnetInfo; account: DemoAccount }) {
    this.base = options.base
    this.info = options.info
    this.account = options.account
    this.tron = new TronWeb({
      fullHost: options.info.tron.full_host,
      privateKey: options.account.tron_private_key,
    })
  }

  get address(): string {
    return this.account.tron_address
  }

  /** The bearer token of the last login; empty before the first. */
  get token(): string {
    return this.#token
  }

  /** Makes a call and returns its body. @throws Error with status and body unless it succeeds */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.tryCall(method, path, body)
    if (reply.status >= 300)
      throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body as T
  }

  async tryCall(method: string, path: string, body?: unknown): Promise<Reply> {
    const reply = await fetch(`${this.base}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: await reply.json(), headers: reply.headers }
  }

  async register(
    email: string,
    referrerCode?: string,
  ): Promise<{ message: string; referral_code: string; referrer_tron_address: string | null }> {
    const asked = {
      tron_address: this.address,
      email,
      ...(referrerCode === undefined ? {} : { referrer_code: referrerCode }),
    }
    const proof = await this.prove({ ...asked, purpose: 'register' })
    return this.call('POST', '/api/auth/register', { ...asked, ...proof, accept_terms: true })
  }

  async login(): Promise<{ token: string; user: Record<string, unknown> }> {
    const tron_address = this.address
    const proof = await this.prove({ tron_address, purpose: 'login' })
    const reply = await this.call<{ token: string; user: Record<string, unknown> }>(
      'POST',
      '/api/auth/login',
      { tron_address, ...proof },
    )
    this.#token = reply.token
    return reply
  }

  /** Confirms the session by a fresh signature, as sensitive actions of admins need it. */
  async stepUp(): Promise<void> {
    const proof = await this.prove({ tron_address: this.address, purpose: 'step_up' })
    await this.call('POST', '/api/auth/step-up', proof)
  }

  /** Requests a challenge and signs it. */
  async prove(body: Record<string, unknown>): Promise<{ nonce: string; signature: string }> {
    const challenge = await this.call<{ message: string; nonce: string }>(
      'POST',
      '/api/auth/challenge',
      body,
    )
    const signature = await this.tron.trx.signMessageV2(challenge.message)
    return { nonce: challenge.nonce, signature }
  }

  /** Approves `spender` for exactly this amount of DCT; returns the transaction's hash. */
  async approve(spender: string, amountDct: string): Promise<string> {
    return this.send(this.info.tron.token, 'approve(address,uint256)', [
      { type: 'address', value: spender },
      { type: 'uint256', value: await this.#dctUnits(amountDct) },
    ])
  }

  /** Approves exactly `amount` DCT, locks it through the contract and returns the transaction's hash. */
  async lock(plan: { code: string; durationDays: number }, amountDct: string): Promise<string> {
    const { staking } = this.info.tron
    await this.approve(staking, amountDct)
    return this.send(staking, 'joinStake(uint256,string,uint256)', [
      { type: 'uint256', value: await this.#dctUnits(amountDct) },
      { type: 'string', value: plan.code },
      { type: 'uint256', value: plan.durationDays },
    ])
  }

  /** Funds a plan's rewards through the contract and returns the transaction's hash. */
  async fundPlan(planCode: string, amountDct: string): Promise<string> {
    const pool = this.info.tron.reward_pool
    await this.approve(pool, amountDct)
    return this.send(pool, 'addRewardForPlan(string,uint256)', [
      { type: 'string', value: planCode },
      { type: 'uint256', value: await this.#dctUnits(amountDct) },
    ])
  }

  async dctBalance(): Promise<bigint> {
    const owner = { type: 'address', value: this.address }
    return this.read(this.info.tron.token, 'balanceOf(address)', [owner])
  }

  /** Sends exactly this amount of USDT on BSC, by default to the fee receiver; returns the mined transaction's hash. */
  async payUsdt(amount: string, to: string = this.info.bsc.receiver_address): Promise<Hex> {
    const { wallet, reader } = this.#bsc()
    const hash = await wallet.writeContract({
      address: this.info.bsc.usdt as Hex,
      abi: USDT_ABI,
      functionName: 'transfer',
      args: [to as Hex, parseUnits(amount, 18)],
    })
    const { status } = await reader.waitForTransactionReceipt({ hash, pollingInterval: 100 })
    if (status !== 'success') throw new Error(`The payment ${hash} failed`)
    return hash
  }

  async usdtBalance(): Promise<bigint> {
    return this.#bsc().reader.readContract({
      address: this.info.bsc.usdt as Hex,
      abi: USDT_ABI,
      functionName: 'balanceOf',
      args: [this.account.bsc_address as Hex],
    })
  }

  async pendingFees(): Promise<PendingFee[]> {
    const reply = await this.call<{ pending_fees: PendingFee[] }>(
      'GET',
      '/api/user/pending-claim-fees?page=1&limit=10',
    )
    return reply.pending_fees
  }

  async #dctUnits(amountDct: string): Promise<string> {
    const decimals = Number(await this.read(this.info.tron.token, 'decimals()', []))
    return parseUnits(amountDct, decimals).toString()
  }

  #bsc() {
    const { chain_id, rpc } = this.info.bsc
    const chain = {
      id: Number(chain_id),
      name: 'BSC',
      nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
      rpcUrls: { default: { http: [rpc] } },
    }
    const transport = http(rpc)
    const account = privateKeyToAccount(this.account.bsc_private_key)
    return {
      wallet: createWalletClient({ account, chain, transport }),
      reader: createPublicClient({ chain, transport }),
    }
  }

  /** Calls a view function and returns the first word of its result. */
  async read(contract: string, selector: string, args: ContractArgument[]): Promise<bigint> {
    const reply = await this.tron.transactionBuilder.triggerConstantContract(
      contract,
      selector,
      {},
      args,
      this.address,
    )
    return BigInt(`0x${reply.constant_result?.[0]?.slice(0, 64) ?? '0'}`)
  }

  /** Signs and sends a contract call and waits until it is in a block. @throws Error if it fails */
  async send(contract: string, selector: string, args: ContractArgument[]): Promise<string> {
    const built = await this.tron.transactionBuilder.triggerSmartContract(
      contract,
      selector,
      { feeLimit: FEE_LIMIT_SUN },
      args,
      this.address,
    )
    const sent = await this.tron.trx.sendRawTransaction(await this.tron.trx.sign(built.transaction))
    if (sent.result !== true)
      throw new Error(`The node refused ${selector}: ${JSON.stringify(sent)}`)
    const hash = sent.transaction.txID
    await this.#untilIncluded(hash, selector)
    return hash
  }

  async #untilIncluded(hash: string, selector: string): Promise<void> {
    const deadline = performance.now() + INCLUDED_WITHIN_MS
    while (performance.now() < deadline) {
      const info = await this.tron.trx.getUnconfirmedTransactionInfo(hash)
      if (info.id !== undefined) {
        if (info.receipt.result === 'SUCCESS') return
        throw new Error(`${selector} failed on chain: ${info.receipt.result} ${info.resMessage}`)
      }
      await pause(100)
    }
    throw new Error(`${selector} (${hash}) was not included in a block`)
  }
}

/** The devnet calls that outside clients may use. */
export function devnetAt(base: string) {
  const post = async (path: string, body: unknown) => {
    const reply = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!reply.ok) throw new Error(`POST ${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as { business_date: string }
  }
  return {
    async info(): Promise<DevnetInfo> {
      return (await (await fetch(`${base}/devnet/info`)).json()) as DevnetInfo
    },
    advance: (days: number) => post('/devnet/advance', { days }),
    settle: () => post('/devnet/settle', {}),
    faucet: (body: Record<string, string>) => post('/devnet/faucet', body),
  }
}
