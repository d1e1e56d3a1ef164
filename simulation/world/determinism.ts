/**
 * Takes time, chance and the network of this process away from the machine. Everything that the service takes from
 * Node (Date, timers that it waits for, random bytes, fetch) then follows from the seed and from what the simulation
 * does. For a process that does nothing else.
 */
import crypto from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import type { Ask } from '../chains/network.ts'
import { requestThrough } from './http.ts'
import type { Random } from './random.ts'

export type Surroundings = {
  /** Milliseconds since 1970 of real time, which business time follows. */
  nowMs: number
  random: Random
  /** The most numbers that whole numbers are drawn from, so that draws meet; undefined if chance is wide. */
  few: number | undefined
  ask: Ask
}

/** The random bytes that PostgreSQL's handshake takes: how many connections a pool opens is left to chance. */
const HANDSHAKE_BYTES = 18
const realRandomBytes = crypto.randomBytes

export function takeOver(given: Surroundings): void {
  const RealDate = Date
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [given.nowMs] : args, newTarget),
    apply: () => new RealDate(given.nowMs).toString(),
    get: (target, name, receiver) =>
      name === 'now' ? () => given.nowMs : Reflect.get(target, name, receiver),
  })
  performance.now = () => given.nowMs
  AbortSignal.timeout = () => new AbortController().signal
  Math.random = () => given.random.next()
  globalThis.fetch = async (input, init) => {
    const { status, headers, text } = await given.ask(
      new URL(String(input)),
      String(init?.body ?? ''),
    )
    return new Response(text, { status, headers })
  }
  const request = requestThrough((url, body) => given.ask(url, body))
  Object.assign(http, { request })
  Object.assign(https, { request })
  Object.assign(timers, {
    async setTimeout<T>(ms: number, value: T, options?: { signal?: AbortSignal }) {
      // A time limit: whoever is too slow says so at once.
      if (options?.signal !== undefined) return ended(options.signal, value)
      // Pauses with chance in them are no whole numbers; instants are.
      given.nowMs += Math.ceil(ms)
      await new Promise((resolve) => setImmediate(resolve))
      return value
    },
  })
  Object.assign(crypto, {
    randomBytes: (size: number) =>
      size === HANDSHAKE_BYTES ? realRandomBytes(size) : given.random.bytes(size),
    randomInt(low: number, high?: number) {
      const [from, below] = high === undefined ? [0, low] : [low, high - low]
      return from + given.random.below(Math.min(below, given.few ?? below))
    },
    randomUUID: () => uuidOf(given.random.bytes(16)),
  })
  syncBuiltinESMExports()
}

function ended<T>(signal: AbortSignal, value: T): Promise<T> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(value)
    else signal.addEventListener('abort', () => resolve(value), { once: true })
  })
}

function uuidOf(bytes: Buffer): string {
  const digits = bytes.toString('hex')
  return [8, 12, 16, 20].reduceRight((text, at) => `${text.slice(0, at)}-${text.slice(at)}`, digits)
}
