import type { TronNode } from './injected.ts'

/** The chain's node refused a request or sent an unusable answer. */
export class NodeError extends Error {
  override name = 'NodeError'
}

/**
 * Sends a request to the wallet's node over Tron's own HTTP API, which is the same behind every wallet.
 * @throws NodeError when the node answers with an error (it does so with status 200)
 */
export async function nodeRequest<T extends object>(
  node: TronNode,
  path: string,
  payload: object,
): Promise<T> {
  const answer = (await node.fullNode.request(path, payload, 'post')) as T & { Error?: unknown }
  if (typeof answer !== 'object' || answer === null) throw new NodeError('The node did not answer')
  if (typeof answer.Error === 'string') throw new NodeError(answer.Error)
  return answer
}
