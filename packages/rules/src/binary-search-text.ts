import { hex } from '@scure/base'
import { tronAddressRange } from './address-prefix.ts'

/**
 * A search for a value that is stored as bytes and displayed as text: how the text begins, how it ends (reversed, as
 * the index needs it), or both. Unless `isBoth`, matching either is enough.
 */
export type BinarySearch = {
  isBoth: boolean
  range?: { from: Uint8Array; to: Uint8Array }
  /** The end of the displayed text, reversed. */
  reversedEnd?: string
}

/** The number of trailing characters of an address that the database can compare; more would not narrow the search. */
export const ADDRESS_END_SIGNS = 9
/** A shorter end would match too much. */
const LEAST_END = 3
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{1,34}$/
/** As screens shorten addresses: `TLdt8...2rMWM`, with three dots or an ellipsis. */
const SHORTENED = /^([^.…]+)(?:\.{3}|…)([^.…]+)$/

/**
 * Reads the beginning, the end or the shortened form of a Tron address; undefined when it is none of these. Case
 * matters, as base58 uses both.
 */
export function readAddressSearch(text: string): BinarySearch | undefined {
  const [, begin, end] = SHORTENED.exec(text) ?? []
  if (begin !== undefined && end !== undefined) {
    const range = tronAddressRange(begin)
    return range && BASE58.test(end)
      ? { isBoth: true, range, reversedEnd: reversedAddressEnd(end) }
      : undefined
  }
  const range = tronAddressRange(text)
  const isEnd = text.length >= LEAST_END && BASE58.test(text)
  if (range === undefined && !isEnd) return undefined
  return {
    isBoth: false,
    ...(range && { range }),
    ...(isEnd && { reversedEnd: reversedAddressEnd(text) }),
  }
}

function reversedAddressEnd(end: string): string {
  return [...end.slice(-ADDRESS_END_SIGNS)].toReversed().join('')
}

/**
 * Reads the beginning, the end or the shortened form of a value of `bytes` bytes that is shown as hex digits: a
 * transaction hash or a BSC address. `0x` is optional, and case does not matter.
 */
export function readHexSearch(text: string, bytes: number): BinarySearch | undefined {
  const lower = text.toLowerCase()
  const [, begin, end] = SHORTENED.exec(lower) ?? []
  if (begin !== undefined && end !== undefined) {
    const range = hexRange(begin.replace(/^0x/, ''), bytes)
    return range && isHex(end, bytes)
      ? { isBoth: true, range, reversedEnd: reversed(end) }
      : undefined
  }
  const digits = lower.replace(/^0x/, '')
  if (!isHex(digits, bytes)) return undefined
  const range = hexRange(digits, bytes)
  const isWhole = digits.length === bytes * 2
  if (isWhole || lower.startsWith('0x')) return range && { isBoth: false, range }
  if (digits.length < LEAST_END) return undefined
  return { isBoth: false, ...(range && { range }), reversedEnd: reversed(digits) }
}

function isHex(digits: string, bytes: number): boolean {
  return digits.length <= bytes * 2 && /^[0-9a-f]+$/.test(digits)
}

function reversed(digits: string): string {
  return [...digits].toReversed().join('')
}

function hexRange(digits: string, bytes: number): { from: Uint8Array; to: Uint8Array } | undefined {
  if (digits !== '' && !isHex(digits, bytes)) return undefined
  const filled = (sign: string) => hex.decode(digits.padEnd(bytes * 2, sign))
  return { from: filled('0'), to: filled('f') }
}
