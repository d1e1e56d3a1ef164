import { fromHexText, wordAt } from './abi-codec.ts'
import { type ContractCall, requestOf } from './contract-call.ts'
import type { TronNode } from './injected.ts'
import { NodeError, nodeRequest } from './node-request.ts'
import { type RevertReason, readRevert } from './revert-reason.ts'

/** The outcome of simulating a call. `energy` must be covered by the sender's resources or TRX. */
export type CallOutcome =
  | { ok: true; result: string; energy: number }
  | { ok: false; reason: RevertReason; energy: number }

type ConstantReply = {
  result?: { result?: boolean; code?: string; message?: string }
  constant_result?: string[]
  /** The total: a node's `energy_penalty` is the part of it that popular contracts are charged on top. */
  energy_used?: number
  transaction?: { ret?: { ret?: string }[] }
}

/** The code of what a node did; most answers leave it out. */
const DONE = 'SUCCESS'

/**
 * Simulates a call on the node; nothing is signed or sent. Calls the node directly, because TronWeb's helper discards
 * the revert reason.
 * @throws NodeError when the node cannot run the call
 */
export async function callContract(
  node: TronNode,
  from: string,
  call: ContractCall,
): Promise<CallOutcome> {
  const request = requestOf(from, call)
  const reply = await nodeRequest<ConstantReply>(node, 'wallet/triggerconstantcontract', request)
  const energy = reply.energy_used ?? 0
  const data = reply.constant_result?.[0]
  const { code = DONE } = reply.result ?? {}
  if (code !== DONE || data === undefined) {
    throw new NodeError(fromHexText(reply.result?.message ?? '') || 'The node refused the call')
  }
  const isReverted = reply.transaction?.ret?.[0]?.ret === 'FAILED' || !!reply.result?.message
  return isReverted
    ? { ok: false, reason: readRevert(data), energy }
    : { ok: true, result: data, energy }
}

/** Calls a view function and returns its result. @throws NodeError */
export async function readContract(
  node: TronNode,
  from: string,
  call: ContractCall,
): Promise<string> {
  const outcome = await callContract(node, from, call)
  if (!outcome.ok) throw new NodeError(`The contract refused ${call.selector}`)
  return outcome.result
}

/** The same for a function that returns one number. */
export async function readNumber(
  node: TronNode,
  from: string,
  call: ContractCall,
): Promise<bigint> {
  return wordAt(await readContract(node, from, call), 0)
}
