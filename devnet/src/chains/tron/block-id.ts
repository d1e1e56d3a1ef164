import { CHAIN_IDS, type EvmBlock } from '../core/evm-node.ts'

const CHAIN_ID_HEX = CHAIN_IDS.tron.toString(16).padStart(8, '0')

/**
 * A block's id on Tron: its height in 8 bytes, then the last 24 bytes of its hash. The first block's id ends with the
 * chain id, which wallets read from there.
 */
export function blockIdOf({ number, hash }: Pick<EvmBlock, 'number' | 'hash'>): string {
  return idOf(Number(number), hash)
}

export function parentIdOf({ number, parentHash }: EvmBlock): string {
  const parentNumber = Number(number) - 1
  return parentNumber < 0 ? '0'.repeat(64) : idOf(parentNumber, parentHash)
}

/** The height in a block id; undefined for an invalid id. */
export function heightOf(blockId: string): number | undefined {
  return /^0{3}[0-9a-f]{61}$/.test(blockId) ? Number.parseInt(blockId.slice(0, 16), 16) : undefined
}

function idOf(number: number, hash: string): string {
  const height = number.toString(16).padStart(16, '0')
  const tail = hash.slice(-48)
  return number === 0 ? `${height}${tail.slice(0, 40)}${CHAIN_ID_HEX}` : `${height}${tail}`
}

/** The reference bytes (2) and hash (8 bytes) by which a transaction names the block that it was built on. */
export function referenceTo(blockId: string): { ref_block_bytes: string; ref_block_hash: string } {
  return { ref_block_bytes: blockId.slice(12, 16), ref_block_hash: blockId.slice(16, 32) }
}
