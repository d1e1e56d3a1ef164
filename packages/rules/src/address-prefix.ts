import { base58 } from '@scure/base'
import { ADDRESS_BYTES } from './addresses.ts'

const SPELLED_LENGTH = 34
const LOWEST_DIGIT = '1'
const HIGHEST_DIGIT = 'z'

export type AddressRange = { from: Uint8Array; to: Uint8Array }

/**
 * The range of 20-byte addresses whose base58check form (`T…`) begins with a text, both ends included: base58 preserves
 * numeric order. Undefined when no Tron address can begin that way.
 */
export function tronAddressRange(prefix: string): AddressRange | undefined {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{0,33}$/.test(prefix)) return undefined
  const from = bytesOf(prefix.padEnd(SPELLED_LENGTH, LOWEST_DIGIT))
  const to = bytesOf(prefix.padEnd(SPELLED_LENGTH, HIGHEST_DIGIT))
  // `T` alone is also the beginning of numbers that are not addresses; Tron addresses begin with byte 0x41.
  const lowest = from[0] === 0x41 ? from.slice(1, 1 + ADDRESS_BYTES) : new Uint8Array(ADDRESS_BYTES)
  const highest =
    to[0] === 0x41 ? to.slice(1, 1 + ADDRESS_BYTES) : new Uint8Array(ADDRESS_BYTES).fill(0xff)
  const isPossible = (from[0] ?? 0) <= 0x41 && (to[0] ?? 0) >= 0x41
  return isPossible ? { from: lowest, to: highest } : undefined
}

function bytesOf(spelled: string): Uint8Array {
  return base58.decode(spelled)
}
