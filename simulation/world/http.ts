/** Node's HTTP client, answered by the simulated network: the service's own client runs on it unchanged. */
import { EventEmitter } from 'node:events'
import type { ClientRequest } from 'node:http'
import type { Ask } from '../chains/network.ts'
import type { NetworkReply } from '../chains/node-faults.ts'

/** The part of `ClientRequest` that the service uses. */
class SimulatedRequest extends EventEmitter {
  readonly reusedSocket = false
  readonly #url: URL
  readonly #ask: Ask
  #isOver = false

  constructor(url: URL, ask: Ask) {
    super()
    this.#url = url
    this.#ask = ask
  }

  end(body?: string | Buffer): this {
    void this.#send(textOf(body))
    return this
  }

  destroy(): this {
    this.#isOver = true
    return this
  }

  async #send(body: string): Promise<void> {
    try {
      const reply = await this.#ask(this.#url, body)
      if (this.#isOver) return
      this.emit('response', new SimulatedResponse(reply))
    } catch (error) {
      if (!this.#isOver)
        this.emit('error', Object.assign(new Error('no reply'), { code: codeOf(error) }))
    }
    this.emit('close')
  }
}

/** The part of `IncomingMessage` that the service uses: a stream that has arrived whole. */
class SimulatedResponse extends EventEmitter {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly #text: string

  constructor({ status, headers, text }: NetworkReply) {
    super()
    this.statusCode = status
    this.headers = headers
    this.#text = text
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    yield Buffer.from(this.#text)
  }

  destroy(): this {
    return this
  }
}

export function requestThrough(ask: Ask) {
  return (url: URL): ClientRequest => new SimulatedRequest(url, ask) as unknown as ClientRequest
}

/** Bytes that are no text are kept, one in each character. */
function textOf(body: string | Buffer | undefined): string {
  return Buffer.isBuffer(body) ? body.toString('latin1') : (body ?? '')
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN'
  if (error.name === 'TimeoutError') return 'TIMEOUT'
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}
