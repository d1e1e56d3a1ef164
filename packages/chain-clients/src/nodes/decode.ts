import type { Hex } from 'viem'
import { NodeUnfit } from './failures.ts'

/**
 * Reads one part of a reply and returns it in our form. `place` names the part in the error.
 * @throws NodeUnfit when it is not what the part must be
 */
export type Decode<T> = (value: unknown, place: string) => T

/** A value of any kind as words, for a message. An object has none: it may even refuse to become a text. */
export function wordsOf(value: unknown): string {
  return typeof value === 'object' && value !== null ? 'no text' : String(value)
}

function unfit(place: string, wanted: string): never {
  throw new NodeUnfit(`${place} is not ${wanted}`)
}

function match(pattern: RegExp, wanted: string): Decode<string> {
  return (value, place) =>
    typeof value === 'string' && pattern.test(value) ? value : unfit(place, wanted)
}

export const text: Decode<string> = match(/^/, 'a text')
export const anything: Decode<unknown> = (value) => value
export const flag: Decode<boolean> = (value, place) =>
  typeof value === 'boolean' ? value : unfit(place, 'true or false')

/** Bytes as lower-case hex with 0x: exactly `length` of them, or any number. */
export function bytes(length?: number): Decode<Hex> {
  const digits = digitsOf(length)
  return (value, place) =>
    typeof value === 'string' && value.startsWith('0x')
      ? digits(value.slice(2), place)
      : unfit(place, 'hex with 0x')
}

/** The same, but Tron's nodes leave 0x out. */
export function digitsOf(length?: number): Decode<Hex> {
  const pattern = new RegExp(`^(?:[0-9a-f]{2})${length === undefined ? '*' : `{${length}}`}$`, 'i')
  const decode = match(pattern, length === undefined ? 'hex' : `${length} bytes of hex`)
  return (value, place) => `0x${decode(value, place).toLowerCase()}`
}

/** An address of Tron as its 20 bytes, without the prefix 41. */
export const tronAddress: Decode<Hex> = (value, place) =>
  `0x${match(/^41[0-9a-f]{40}$/i, 'an address')(value, place)
    .slice(2)
    .toLowerCase()}`

/** A whole number as hex with 0x. */
export const quantity: Decode<bigint> = (value, place) =>
  BigInt(match(/^0x[0-9a-f]{1,64}$/i, 'a number as hex')(value, place))

/** The same, as a count that fits a number. */
export const count: Decode<number> = (value, place) => {
  const found = Number(quantity(value, place))
  return Number.isSafeInteger(found) ? found : unfit(place, 'a count')
}

/** A whole number of Tron's nodes, which is never negative; 0 where it is left out, as they do with default values. */
export const whole: Decode<bigint> = (value, place) => {
  if (value === undefined) return 0n
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  return BigInt(match(/^\d{1,20}$/, 'a whole number')(value, place))
}

/** Nobody uses these chains after the year 5138, and milliseconds that are taken for seconds are beyond it. */
const LAST_SECOND = 100_000_000_000n

/** Hex seconds since 1970. */
export const seconds: Decode<Date> = (value, place) => {
  const found = quantity(value, place)
  return found < LAST_SECOND ? new Date(Number(found) * 1_000) : unfit(place, 'a time in seconds')
}

/** Milliseconds since 1970; only the first block has none. */
export const milliseconds: Decode<Date> = (value, place) => {
  const found = whole(value, place)
  const isTime = found === 0n || (found >= LAST_SECOND && found < LAST_SECOND * 1_000n)
  return isTime ? new Date(Number(found)) : unfit(place, 'a time in milliseconds')
}

export function list<T>(item: Decode<T>): Decode<T[]> {
  return (value, place) =>
    Array.isArray(value)
      ? value.map((part, at) => item(part, `${place}[${at}]`))
      : unfit(place, 'a list')
}

/** The named fields of an object. Others may be there too. */
export function object<F extends Record<string, Decode<unknown>>>(
  fields: F,
): Decode<{ [N in keyof F]: ReturnType<F[N]> }> {
  return (value, place) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return unfit(place, 'an object')
    const given = value as Record<string, unknown>
    const read = Object.entries(fields).map(([name, decode]) => [
      name,
      decode(given[name], `${place}.${name}`),
    ])
    return Object.fromEntries(read)
  }
}

/** Null where the node says null, for what it does not have (yet). */
export function orNull<T>(decode: Decode<T>): Decode<T | null> {
  return (value, place) => (value === null ? null : decode(value, place))
}

/** A part that must also fit the question. */
export function that<T>(
  decode: Decode<T>,
  isRight: (value: T) => boolean,
  wanted: string,
): Decode<T> {
  return (value, place) => {
    const found = decode(value, place)
    return isRight(found) ? found : unfit(place, wanted)
  }
}

/** A part that may not be left out. */
export function present<T>(decode: Decode<T>): Decode<T> {
  return (value, place) => (value === undefined ? unfit(place, 'there') : decode(value, place))
}

/** A default where the part is left out. */
export function or<T, D>(decode: Decode<T>, missing: D): Decode<T | D> {
  return (value, place) => (value === undefined ? missing : decode(value, place))
}

/** What a Tron node answers with about something that it does not have: an object without fields. */
export function orEmpty<T>(decode: Decode<T>): Decode<T | null> {
  return (value, place) => {
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
    return isEmpty && !Array.isArray(value) ? null : decode(value, place)
  }
}
