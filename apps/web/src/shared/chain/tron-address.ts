const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const HEX_DIGITS = 42
const CHECKSUM_DIGITS = 8

/**
 * Converts an address from base58 to Tron's hex form with its leading 41. The checksum is not verified: addresses come
 * from the service and from wallets, never from typing.
 * @throws RangeError unless it looks like a Tron address
 */
export function addressToHex(address: string): string {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)) throw new RangeError('Not a Tron address')
  let value = 0n
  for (const letter of address) value = value * 58n + BigInt(ALPHABET.indexOf(letter))
  return value
    .toString(16)
    .padStart(HEX_DIGITS + CHECKSUM_DIGITS, '0')
    .slice(0, HEX_DIGITS)
}
