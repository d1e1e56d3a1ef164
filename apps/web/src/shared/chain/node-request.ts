import type { InjectedTronWeb } from './injected.ts'

/** The chain's node refused a request or sent an unusable answer. */
export class NodeError extends Error {
  override name = 'NodeError'
}

/**
 * Sends a request to the node that the wallet is set to, over Tron's own HTTP API, which is the same behind every
 * wallet.
 * @throws NodeError when the node answers with an error (it does so with status 200)
 */
export async function nodeRequest<T extends object>(
  tronWeb: InjectedTronWeb,
  path: string,
  payload: object,
): Promise<T> {
  const answer = (await tronWeb.fullNode.request(path, payload, 'post')) as T & { Error?: unknown }
  if (typeof answer !== 'object' || answer === null) throw new NodeError('The node did not answer')
  if (typeof answer.Error === 'string') throw new NodeError(answer.Error)
  return answer
}
