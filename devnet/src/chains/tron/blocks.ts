import type { Engine } from '../core/engine.ts'
import type { EvmBlock } from '../core/evm-node.ts'
import { blockIdOf, parentIdOf } from './block-id.ts'
import { NodeException, readBlock, readBlockById, type View, viewHeight } from './node.ts'
import { WITNESS_ADDRESS } from './parameters.ts'
import { includedTransaction } from './transactions.ts'
import { compact, type Json } from './wire.ts'

const BLOCK_VERSION = 34
const WITNESS_SIGNATURE = '00'.repeat(65)
const MOST_BLOCKS = 100

/** A block in the node's JSON; `{}` if it does not exist. */
export function toTronBlock(
  { records }: Engine,
  block: EvmBlock | undefined,
  options: { withTransactions: boolean } = { withTransactions: true },
): Json {
  if (!block) return {}
  const number = Number(block.number)
  const included = options.withTransactions ? records.inBlock(number) : []
  return {
    blockID: blockIdOf(block),
    block_header: {
      raw_data: compact({
        number,
        txTrieRoot: block.transactionsRoot.slice(2),
        witness_address: WITNESS_ADDRESS,
        parentHash: parentIdOf(block),
        version: BLOCK_VERSION,
        timestamp: Number(block.timestamp) * 1000,
      }),
      witness_signature: WITNESS_SIGNATURE,
    },
    ...(included.length > 0 && { transactions: included.map(includedTransaction) }),
  }
}

export async function nowBlock(engine: Engine, view: View): Promise<Json> {
  return toTronBlock(engine, await readBlock(engine, viewHeight(engine, view)))
}

export async function blockByNumber(engine: Engine, view: View, number: unknown): Promise<Json> {
  const height = readInteger(number ?? 0)
  return height > viewHeight(engine, view)
    ? {}
    : toTronBlock(engine, await readBlock(engine, height))
}

export async function blockById(engine: Engine, view: View, id: unknown): Promise<Json> {
  const block = await readBlockById(engine, `${id}`.toLowerCase())
  return block && Number(block.number) <= viewHeight(engine, view) ? toTronBlock(engine, block) : {}
}

/** `getblock`: by height, by id, or the newest; with transactions only if `detail` is set. */
export async function genericBlock(engine: Engine, view: View, body: Json): Promise<Json> {
  const { id_or_num: wanted } = body
  const withTransactions = body.detail === true || body.detail === 'true'
  const isNewest = wanted === undefined || wanted === ''
  const block = isNewest
    ? await readBlock(engine, viewHeight(engine, view))
    : /^[0-9a-fA-F]{64}$/.test(`${wanted}`)
      ? await readBlockById(engine, `${wanted}`.toLowerCase())
      : await readBlock(engine, readInteger(wanted))
  const isShown = block && Number(block.number) <= viewHeight(engine, view)
  return toTronBlock(engine, isShown ? block : undefined, { withTransactions })
}

export async function blockRange(engine: Engine, view: View, body: Json): Promise<Json> {
  const start = readInteger(body.startNum ?? 0)
  const end = Math.min(readInteger(body.endNum ?? 0), viewHeight(engine, view) + 1)
  return start >= 0 && end - start <= MOST_BLOCKS ? listBlocks(engine, start, end) : {}
}

export async function latestBlocks(engine: Engine, view: View, body: Json): Promise<Json> {
  const count = readInteger(body.num ?? 0)
  if (count <= 0 || count >= MOST_BLOCKS) return {}
  const end = viewHeight(engine, view) + 1
  return listBlocks(engine, Math.max(0, end - count), end)
}

async function listBlocks(engine: Engine, start: number, end: number): Promise<Json> {
  const numbers = Array.from({ length: Math.max(0, end - start) }, (_, index) => start + index)
  const blocks = await Promise.all(numbers.map((number) => readBlock(engine, number)))
  return blocks.length === 0 ? {} : { block: blocks.map((block) => toTronBlock(engine, block)) }
}

/** @throws NodeException if it is not a whole number */
export function readInteger(value: unknown): number {
  const number = typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value
  if (typeof number === 'number' && Number.isSafeInteger(number)) return number
  throw new NodeException('java.lang.NumberFormatException', `For input string: "${value}"`)
}
