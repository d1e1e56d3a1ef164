import type { Engine } from '../../core/engine.ts'
import type { EvmBlock } from '../../core/evm-node.ts'
import type { HexAddress } from '../address.ts'
import { readBlock, readBlockById } from '../node.ts'
import { invalidParams } from './errors.ts'

/** The height for a block tag or number. */
export function readHeight({ nodes }: Engine, value: unknown): number {
  const text = `${value}`.toLowerCase()
  if (text === 'latest') return nodes.tron.head().number
  if (text === 'earliest') return 0
  if (text === 'finalized') return nodes.tron.finalNumber()
  if (text === 'pending' || text === 'safe') throw invalidParams('TAG pending | safe not supported')
  if (!/^(0x[0-9a-f]+|\d+)$/.test(text)) throw invalidParams('invalid block number')
  return Number(text)
}

export function readBlockAt(engine: Engine, value: unknown): Promise<EvmBlock | undefined> {
  return readBlock(engine, readHeight(engine, value))
}

export function readBlockWithHash(engine: Engine, value: unknown): Promise<EvmBlock | undefined> {
  return readBlockById(engine, readHash(value))
}

/** 32 bytes as lowercase hex without a prefix. */
export function readHash(value: unknown): string {
  const hash = `${value}`.replace(/^0x/, '').toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(hash)) throw invalidParams('invalid hash value')
  return hash
}

/** 20 bytes, or Tron's 21, in hex; `T…` is refused. */
export function readHexAddress(value: unknown): HexAddress {
  const hex = `${value}`.replace(/^0x/, '').toLowerCase()
  if (/^41[0-9a-f]{40}$/.test(hex)) return hex
  if (/^[0-9a-f]{39,40}$/.test(hex)) return `41${hex.padStart(40, '0')}`
  throw invalidParams('invalid address hash value')
}

/** Only the newest state can be read. */
export function requireLatest(tag: unknown): void {
  const text = `${tag ?? ''}`.toLowerCase()
  if (text === 'latest') return
  if (['earliest', 'pending', 'finalized', 'safe'].includes(text)) {
    throw invalidParams('TAG [earliest | pending | finalized | safe] not supported')
  }
  if (/^(0x[0-9a-f]+|\d+)$/.test(text)) {
    throw invalidParams('QUANTITY not supported, just support TAG as latest')
  }
  throw invalidParams('invalid block number')
}

/** A call may name a block by an object. The block must exist, but the newest state is read anyway. */
export async function requireCallableState(engine: Engine, selector: unknown): Promise<void> {
  if (typeof selector !== 'object' || selector === null) return requireLatest(selector)
  const { blockNumber, blockHash } = selector as { blockNumber?: unknown; blockHash?: unknown }
  if (blockNumber === undefined && blockHash === undefined) {
    throw invalidParams('JSON RPC request params invalid')
  }
  const block =
    blockNumber === undefined
      ? await readBlockWithHash(engine, blockHash)
      : await readBlockAt(engine, blockNumber)
  if (!block) throw invalidParams('header not found')
}
