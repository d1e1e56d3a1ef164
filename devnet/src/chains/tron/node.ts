import type { Engine } from '../core/engine.ts'
import type { EvmBlock } from '../core/evm-node.ts'
import { toQuantity } from '../core/rpc.ts'
import type { HexAddress } from './address.ts'
import { blockIdOf, heightOf } from './block-id.ts'
import { balanceOf } from './state.ts'

/** `wallet` reads the head, `walletsolidity` only what is final. */
export type View = 'head' | 'final'

/** A java-tron exception with its class: `{"Error": "class … : …"}` with status 200. */
export class NodeException extends Error {
  override name = 'NodeException'
  readonly javaClass: string
  constructor(javaClass: string, message: string) {
    super(message)
    this.javaClass = javaClass
  }
}

export const PARSE_EXCEPTION = 'org.tron.core.services.http.JsonFormat$ParseException'

export function viewHeight(engine: Engine, view: View): number {
  return view === 'head' ? engine.nodes.tron.head().number : engine.solidNumber()
}

/** The block tag for a view's state. The head's includes transactions still waiting for a block. */
export function stateTag(engine: Engine, view: View): string {
  if (view === 'final') return toQuantity(engine.solidNumber())
  return engine.pendingBlock() ? 'pending' : 'latest'
}

/** An account's TRX in sun, as a view shows it. */
export async function readBalance(
  engine: Engine,
  view: View,
  account: HexAddress,
): Promise<bigint> {
  const balance = await balanceOf(engine.nodes.tron.rpc, account, stateTag(engine, view))
  const fees = view === 'head' ? (engine.pendingBlock()?.feesOf(account) ?? 0n) : 0n
  return balance - fees
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

/** @returns undefined if no block has this id, or its block was orphaned */
export async function readBlockById(engine: Engine, id: string): Promise<EvmBlock | undefined> {
  const height = heightOf(id)
  const block = height === undefined ? undefined : await readBlock(engine, height)
  return block && blockIdOf(block) === id ? block : undefined
}
