import { addressToHex } from './tron-address.ts'

/**
 * The small part of Solidity's ABI encoding that the web app needs. Wallets bring a full coder, but not one that
 * reports why a call was refused.
 */
export type AbiArgument =
  | { type: 'uint256'; value: bigint }
  | { type: 'string'; value: string }
  /** In base58. */
  | { type: 'address'; value: string }

const WORD_DIGITS = 64

/**
 * Encodes a call's arguments as hex without 0x, the form that nodes expect. `addressHex` turns an address into hex
 * digits that end with its 20 bytes.
 */
export function encodeArguments(
  args: readonly AbiArgument[],
  addressHex: (address: string) => string = addressToHex,
): string {
  const heads: string[] = []
  let tail = ''
  for (const arg of args) {
    if (arg.type === 'string') {
      heads.push(word(BigInt(args.length * 32 + tail.length / 2)))
      tail += encodeText(arg.value)
    } else if (arg.type === 'address') {
      heads.push(addressHex(arg.value).slice(-40).padStart(WORD_DIGITS, '0'))
    } else {
      heads.push(word(arg.value))
    }
  }
  return heads.join('') + tail
}

/** Reads the `index`th 32-byte word of a result as a number. @throws RangeError when the result is shorter */
export function wordAt(hex: string, index: number): bigint {
  const digits = hex.slice(index * WORD_DIGITS, (index + 1) * WORD_DIGITS)
  if (digits.length < WORD_DIGITS) throw new RangeError('The answer is shorter than expected')
  return BigInt(`0x${digits}`)
}

/** Decodes a result whose only value is a string. */
export function textOf(hex: string): string {
  const start = Number(wordAt(hex, 0)) * 2
  const length = Number(wordAt(hex.slice(start), 0)) * 2
  return fromHexText(hex.slice(start + WORD_DIGITS, start + WORD_DIGITS + length))
}

/** Decodes hex digits as UTF-8 text; nodes encode their messages this way. */
export function fromHexText(hex: string): string {
  return new TextDecoder().decode(new Uint8Array(fromHex(hex)))
}

export function fromHex(hex: string): number[] {
  return hex.match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? []
}

export function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function encodeText(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const hex = toHex(bytes)
  const length = Math.ceil(hex.length / WORD_DIGITS) * WORD_DIGITS
  return word(BigInt(bytes.length)) + hex.padEnd(length, '0')
}

function word(value: bigint): string {
  return value.toString(16).padStart(WORD_DIGITS, '0')
}
