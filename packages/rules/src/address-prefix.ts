import { base58 } from '@scure/base'
import { ADDRESS_BYTES } from './addresses.ts'

const SPELLED_LENGTH = 34
const LOWEST_DIGIT = '1'
const HIGHEST_DIGIT = 'z'

export type AddressRange = { from: Uint8Array; to: Uint8Array }

/**
 * The 20-byte addresses whose spelling (`T…`) begins with that text, as a range with both ends: base58
 * keeps the order of numbers. Undefined when no Tron address begins so.
 */
export function tronAddressRange(prefix: string): AddressRange | undefined {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{0,33}$/.test(prefix)) return undefined
  const from = bytesOf(prefix.padEnd(SPELLED_LENGTH, LOWEST_DIGIT))
  const to = bytesOf(prefix.padEnd(SPELLED_LENGTH, HIGHEST_DIGIT))
  // `T` alone also begins numbers that are no address; those of ours begin with 0x41.
  const lowest = from[0] === 0x41 ? from.slice(1, 1 + ADDRESS_BYTES) : new Uint8Array(ADDRESS_BYTES)
  const highest =
    to[0] === 0x41 ? to.slice(1, 1 + ADDRESS_BYTES) : new Uint8Array(ADDRESS_BYTES).fill(0xff)
  const isPossible = (from[0] ?? 0) <= 0x41 && (to[0] ?? 0) >= 0x41
  return isPossible ? { from: lowest, to: highest } : undefined
}

function bytesOf(spelled: string): Uint8Array {
  return base58.decode(spelled)
}
