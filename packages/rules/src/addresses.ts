import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { createBase58check, hex } from '@scure/base'

/** How many bytes name an account, on both chains. */
export const ADDRESS_BYTES = 20
const TRON_PREFIX = 0x41
const base58check = createBase58check(sha256)

/**
 * Reads a Tron address. Only base58check (`T…`) is taken, so that one account has one spelling.
 * @returns its 20 bytes; undefined when the text is anything else or its checksum is wrong.
 */
export function parseTronAddress(text: string): Uint8Array | undefined {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return undefined
  try {
    const bytes = base58check.decode(text)
    const isTron = bytes.length === ADDRESS_BYTES + 1 && bytes[0] === TRON_PREFIX
    return isTron ? bytes.slice(1) : undefined
  } catch {
    // The decoder throws on a wrong checksum: to the caller that is just "not an address".
    return undefined
  }
}

export function isTronAddress(text: string): boolean {
  return parseTronAddress(text) !== undefined
}

/** The base58check spelling of 20 bytes. @throws RangeError for another length. */
export function formatTronAddress(bytes: Uint8Array): string {
  requireAddress(bytes)
  return base58check.encode(Uint8Array.of(TRON_PREFIX, ...bytes))
}

/**
 * Reads a BSC address: 0x and 40 hex digits. One that mixes upper and lower case must be spelled as
 * its checksum asks, for then a mistyped digit shows.
 */
export function parseEvmAddress(text: string): Uint8Array | undefined {
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1]
  if (digits === undefined) return undefined
  const bytes = hex.decode(digits.toLowerCase())
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return isOneCase || formatEvmAddress(bytes) === text ? bytes : undefined
}

/** 0x and 40 hex digits in the mixed case that carries the checksum. @throws RangeError for another length. */
export function formatEvmAddress(bytes: Uint8Array): string {
  requireAddress(bytes)
  const digits = hex.encode(bytes)
  const hash = hex.encode(keccak_256(new TextEncoder().encode(digits)))
  const cased = [...digits].map((digit, at) =>
    (hash[at] ?? '0') > '7' ? digit.toUpperCase() : digit,
  )
  return `0x${cased.join('')}`
}

function requireAddress(bytes: Uint8Array): void {
  if (bytes.length !== ADDRESS_BYTES)
    throw new RangeError(`An address has 20 bytes, not ${bytes.length}`)
}
