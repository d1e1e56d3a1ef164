import type { Hex } from 'viem'

/** Hex as the database keeps it. */
export function bytesOf(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), 'hex')
}

/** Bytes as chains and readers spell them: lower case, with 0x. */
export function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`
}
