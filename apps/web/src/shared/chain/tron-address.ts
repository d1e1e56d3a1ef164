const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const TRON_ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/
const HEX_DIGITS = 42
const CHECKSUM_DIGITS = 8

/**
 * Converts an address from base58 to Tron's hex form with its leading 41. The checksum is not verified: addresses come
 * from the service and from wallets, never from typing.
 * @throws RangeError unless it looks like a Tron address
 */
export function addressToHex(address: string): string {
  if (!TRON_ADDRESS.test(address)) throw new RangeError('Not a Tron address')
  let value = 0n
  for (const letter of address) value = value * 58n + BigInt(ALPHABET.indexOf(letter))
  return value
    .toString(16)
    .padStart(HEX_DIGITS + CHECKSUM_DIGITS, '0')
    .slice(0, HEX_DIGITS)
}

/** The address that a wallet shows, if it is one of Tron, in the form in which people know it. */
export function tronAddressIn(shown: unknown): string | undefined {
  return typeof shown === 'string' && TRON_ADDRESS.test(shown) ? shown : undefined
}

/** Whether a wallet shows an account in another form, or of another chain, in place of a Tron address. */
export function isOtherKind(shown: unknown): boolean {
  return !!shown && tronAddressIn(shown) === undefined
}
