/**
 * The network between the service and the nodes: it leads each address to its simulated node. It stands
 * below every client of the service, so that all of their code runs.
 */

import { RpcError } from './json-rpc.ts'
import { brokenReply, type NetworkReply, type NodeMood, sound } from './node-faults.ts'

export type RpcAnswer = (method: string, params: readonly unknown[]) => unknown
export type SimulatedNode = {
  mood: NodeMood
  /** Answers JSON-RPC at this path. */
  rpcPath: string
  rpc: RpcAnswer
  /** Answers any other path. */
  http?(path: string, body: Readonly<Record<string, unknown>>): unknown
}

/** @throws what a lost connection or a time limit throws */
export type Ask = (url: URL, body: string) => Promise<NetworkReply>

export type Network = {
  nodes: Map<string, SimulatedNode>
  /** Everything else that the service calls: mail gateways, webhooks. */
  others(url: URL, body: string): NetworkReply
  /** Called before each request; may throw in its place. */
  onRequest(url: URL): void
}

export function askThrough(network: Network): Ask {
  return async (url, body) => {
    network.onRequest(url)
    const node = network.nodes.get(url.host)
    if (node === undefined) return network.others(url, body)
    const answer = JSON.stringify(await answerOf(node, url.pathname, JSON.parse(body || '{}')))
    return brokenReply(node.mood.fault, answer) ?? sound(answer)
  }
}

type Request = Readonly<Record<string, unknown>>

async function answerOf(
  node: SimulatedNode,
  path: string,
  body: Request | readonly Request[],
): Promise<unknown> {
  if (path !== node.rpcPath) return node.http?.(path, body as Request) ?? {}
  if (Array.isArray(body)) return Promise.all(body.map((one: Request) => rpcReply(node, one)))
  return rpcReply(node, body as Request)
}

async function rpcReply(node: SimulatedNode, { id, method, params }: Request): Promise<object> {
  try {
    const answered = await node.rpc(String(method), (params as readonly unknown[]) ?? [])
    return { jsonrpc: '2.0', id, result: answered }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const { code, message, data } = error
    return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
  }
}
