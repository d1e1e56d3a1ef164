import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { createBase58check, hex } from '@scure/base'

/** The length of an account's address, on both chains. */
export const ADDRESS_BYTES = 20
const TRON_PREFIX = 0x41
const base58check = createBase58check(sha256)

/**
 * Reads a Tron address. Only base58check (`T…`) is accepted, so that an account has a single notation.
 * @returns its 20 bytes; undefined when the text is not an address or its checksum is wrong.
 */
export function parseTronAddress(text: string): Uint8Array | undefined {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return undefined
  try {
    const bytes = base58check.decode(text)
    const isTron = bytes.length === ADDRESS_BYTES + 1 && bytes[0] === TRON_PREFIX
    return isTron ? bytes.slice(1) : undefined
  } catch {
    // The decoder throws on a wrong checksum; for the caller the text is just not an address.
    return undefined
  }
}

export function isTronAddress(text: string): boolean {
  return parseTronAddress(text) !== undefined
}

/** The base58check form of 20 bytes. @throws RangeError for any other length. */
export function formatTronAddress(bytes: Uint8Array): string {
  requireAddress(bytes)
  return base58check.encode(Uint8Array.of(TRON_PREFIX, ...bytes))
}

/**
 * Reads a BSC address: 0x and 40 hex digits. Mixed case must match the checksum, which reveals mistyped digits.
 * @returns its 20 bytes; undefined when the text is not an address or its checksum is wrong.
 */
export function parseEvmAddress(text: string): Uint8Array | undefined {
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1]
  if (digits === undefined) return undefined
  const bytes = hex.decode(digits.toLowerCase())
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  return isOneCase || formatEvmAddress(bytes) === text ? bytes : undefined
}

/** 0x and 40 hex digits in checksum case. @throws RangeError for any length other than 20 bytes. */
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
