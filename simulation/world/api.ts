/** What people do through the API: each has a session, and signs in again when it is gone. */
import type { Hex } from 'viem'
import { isCalled } from './few-routes.ts'
import { Killed } from './processes.ts'
import { signText, type Wallet } from './wallet.ts'
import type { World } from './world.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'
export type Reply = { status: number; body: Record<string, unknown> }

/** A challenge that was signed. */
export type Signed = { text: string; proof: { nonce: unknown; signature: Hex } }

/** Nobody answered: the api is down, or was killed during the call. */
const NO_ANSWER: Reply = { status: 0, body: {} }

export class Api {
  readonly #world: World
  readonly #tokens = new Map<string, string>()

  constructor(world: World) {
    this.#world = world
  }

  /** The sessions that people have, by their names. */
  get sessions(): ReadonlyMap<string, string> {
    return new Map(this.#tokens)
  }

  /** People go on with sessions that they have. */
  resume(sessions: ReadonlyMap<string, string>): void {
    for (const [name, token] of sessions) this.#tokens.set(name, token)
  }

  /** A call without a session. */
  async ask(method: Method, path: string, body?: object, token?: string): Promise<Reply> {
    const { api } = this.#world
    if (api?.service.app === undefined) return NO_ANSWER
    const { app } = api.service
    if (!isCalled(`/api${path.replace(/\?.*/, '')}`)) throw new Error(`${path} is not opened`)
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const request = {
      method,
      url: `/api${path}`,
      headers,
      ...(body !== undefined && { payload: body }),
    }
    try {
      const response = await api.process.run(async () => app.inject(request))
      if (api.process.isDead) throw new Killed('api')
      return { status: response.statusCode, body: JSON.parse(response.body || '{}') }
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      await this.#world.stop('api')
      return NO_ANSWER
    }
  }

  /** A call of a registered person. */
  async call(wallet: Wallet, method: Method, path: string, body?: object): Promise<Reply> {
    const known = this.#tokens.get(wallet.name)
    const first = known === undefined ? undefined : await this.ask(method, path, body, known)
    if (first !== undefined && first.status !== 401) return first
    const token = await this.#signIn(wallet)
    if (token === undefined) return first ?? NO_ANSWER
    return this.ask(method, path, body, token)
  }

  async register(wallet: Wallet, referrerCode: string | undefined): Promise<Reply> {
    const email = `${wallet.name.replaceAll(' ', '-')}@example.org`
    const code = referrerCode === undefined ? {} : { referrer_code: referrerCode }
    const asked = { tron_address: wallet.tronAddress, purpose: 'register', email, ...code }
    const proof = await this.#prove(wallet, asked)
    if (proof === undefined) return NO_ANSWER
    const { tronAddress: tron_address } = wallet
    return this.ask('POST', '/auth/register', {
      tron_address,
      email,
      ...code,
      ...proof,
      accept_terms: true,
    })
  }

  /** Signs a challenge: the proof that goes with a call, and the text that was signed. */
  async proveWithSession(wallet: Wallet, asked: object): Promise<Signed | undefined> {
    await this.call(wallet, 'GET', '/auth/me')
    return this.#sign(
      wallet,
      { tron_address: wallet.tronAddress, ...asked },
      this.#tokens.get(wallet.name),
    )
  }

  async #signIn(wallet: Wallet): Promise<string | undefined> {
    const { tronAddress: tron_address } = wallet
    const proof = await this.#prove(wallet, { tron_address, purpose: 'login' })
    if (proof === undefined) return undefined
    const { body } = await this.ask('POST', '/auth/login', { tron_address, ...proof })
    if (typeof body.token !== 'string') return undefined
    this.#tokens.set(wallet.name, body.token)
    return body.token
  }

  async #prove(wallet: Wallet, asked: object): Promise<Signed['proof'] | undefined> {
    return (await this.#sign(wallet, asked))?.proof
  }

  async #sign(wallet: Wallet, asked: object, token?: string): Promise<Signed | undefined> {
    const { body } = await this.ask('POST', '/auth/challenge', asked, token)
    // A refusal has a message too.
    if (typeof body.message !== 'string' || body.nonce === undefined) return undefined
    const { message: text, nonce } = body
    const signature = await signText(wallet, text)
    return { text, proof: { nonce, signature } }
  }
}
