/** Node's HTTP client, answered by a `fetch`: the service's own client runs on it unchanged. */
import { EventEmitter } from 'node:events'
import type { ClientRequest, RequestOptions } from 'node:http'
import { Readable } from 'node:stream'

type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** The part of `ClientRequest` that the service uses. */
class SimulatedRequest extends EventEmitter {
  readonly reusedSocket = false
  readonly #url: URL
  readonly #options: RequestOptions
  readonly #fetch: Fetch
  #isOver = false

  constructor(url: URL, options: RequestOptions, ask: Fetch) {
    super()
    this.#url = url
    this.#options = options
    this.#fetch = ask
  }

  end(body?: string | Buffer): this {
    void this.#send(body)
    return this
  }

  destroy(): this {
    this.#isOver = true
    return this
  }

  async #send(body: string | Buffer | undefined): Promise<void> {
    const { method = 'GET' } = this.#options
    const init = { method, ...(body !== undefined && { body: `${body}` }) }
    try {
      const reply = await this.#fetch(this.#url.href, init)
      const text = await reply.text()
      if (this.#isOver) return
      const facts = { statusCode: reply.status, headers: Object.fromEntries(reply.headers) }
      this.emit('response', Object.assign(Readable.from([Buffer.from(text)]), facts))
    } catch (error) {
      if (!this.#isOver)
        this.emit('error', Object.assign(new Error('no reply'), { code: codeOf(error) }))
    }
    this.emit('close')
  }
}

export function requestThrough(ask: Fetch) {
  return (url: URL, options: RequestOptions): ClientRequest =>
    new SimulatedRequest(url, options, ask) as unknown as ClientRequest
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  if (error.name === 'TimeoutError') return 'TIMEOUT'
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}
