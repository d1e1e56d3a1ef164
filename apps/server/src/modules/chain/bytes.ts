import type { Hex } from 'viem'

/** Hex as the bytes that the database stores. */
export function bytesOf(hex: Hex): Buffer {
  return Buffer.from(hex.slice(2), 'hex')
}

/** Bytes as lower-case hex with 0x, the form that chain readers use. */
export function hexOf(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`
}
