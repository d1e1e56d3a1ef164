import { createHash } from 'node:crypto'

/** 21 bytes as lowercase hex without a prefix: `41` and the 20 bytes of the account. */
export type HexAddress = string

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const HEX_ADDRESS = /^41[0-9a-f]{40}$/

export function isHexAddress(text: unknown): text is HexAddress {
  return typeof text === 'string' && HEX_ADDRESS.test(text)
}

/** Converts `41…` to `T…`. */
export function toBase58(address: HexAddress): string {
  const payload = Buffer.from(address, 'hex')
  let value = BigInt(`0x${address}${checksum(payload)}`)
  let text = ''
  while (value > 0n) {
    text = `${ALPHABET[Number(value % 58n)]}${text}`
    value /= 58n
  }
  return text
}

/** Converts `T…` to `41…`; undefined for an invalid address. */
export function fromBase58(text: string): HexAddress | undefined {
  if (text.length !== 34) return undefined
  let value = 0n
  for (const letter of text) {
    const digit = ALPHABET.indexOf(letter)
    if (digit < 0) return undefined
    value = value * 58n + BigInt(digit)
  }
  const hex = value.toString(16).padStart(50, '0')
  const address = hex.slice(0, 42)
  const matches = checksum(Buffer.from(address, 'hex')) === hex.slice(42)
  return matches && isHexAddress(address) ? address : undefined
}

/** The same account on the underlying EVM chain: 20 bytes with `0x`. */
export function toEvm(address: HexAddress): `0x${string}` {
  return `0x${address.slice(2)}`
}

export function fromEvm(address: string): HexAddress {
  return `41${address.slice(2).toLowerCase()}`
}

function checksum(payload: Uint8Array): string {
  const once = createHash('sha256').update(payload).digest()
  return createHash('sha256').update(once).digest('hex').slice(0, 8)
}
