import type { Engine } from '../core/engine.ts'
import type { EvmBlock } from '../core/evm-node.ts'
import { toQuantity } from '../core/rpc.ts'
import { blockIdOf, heightOf } from './block-id.ts'

/** `wallet` reads the head, `walletsolidity` what can no longer change. */
export type View = 'head' | 'final'

/** An exception of java-tron, by its class: `{"Error": "class … : …"}` with status 200. */
export class NodeException extends Error {
  override name = 'NodeException'
  readonly javaClass: string
  constructor(javaClass: string, message: string) {
    super(message)
    this.javaClass = javaClass
  }
}

export function viewHeight({ nodes }: Engine, view: View): number {
  return view === 'head' ? nodes.tron.head().number : nodes.tron.finalNumber()
}

/** The block whose state a view reads. */
export function stateTag(engine: Engine, view: View): string {
  return view === 'head' ? 'latest' : toQuantity(engine.nodes.tron.finalNumber())
}

export async function readBlock({ nodes }: Engine, number: number): Promise<EvmBlock | undefined> {
  if (number > nodes.tron.head().number) return undefined
  const block = await nodes.tron.rpc<EvmBlock | null>(
    'eth_getBlockByNumber',
    toQuantity(number),
    false,
  )
  return block ?? undefined
}

/** @returns undefined when no block has that id, or no longer */
export async function readBlockById(engine: Engine, id: string): Promise<EvmBlock | undefined> {
  const height = heightOf(id)
  const block = height === undefined ? undefined : await readBlock(engine, height)
  return block && blockIdOf(block) === id ? block : undefined
}
