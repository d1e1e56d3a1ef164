import type { Hex } from 'viem'
import { classifyRpcError } from './classify.ts'
import { NodeUnavailable } from './failures.ts'
import type { NodeClient } from './node-client.ts'

/** Calls a JSON-RPC node and returns the `result`. Throws the failure that an error envelope reports. */
export type JsonRpc = (method: string, params: readonly unknown[]) => Promise<unknown>

export function createJsonRpc(node: NodeClient): JsonRpc {
  let lastId = 0
  return async (method, params) => {
    lastId += 1
    const id = lastId
    const body = { jsonrpc: '2.0', id, method, params }
    const answer = await node.post('', body, (envelope) => failureIn(node.host, method, envelope))
    const envelope = fieldsOf(answer)
    // Without this check, a broken answer would look like "not found".
    if (!('result' in envelope) || envelope.id !== id) {
      throw new NodeUnavailable(`${method}: a reply without a result`)
    }
    return envelope.result
  }
}

function failureIn(host: string, method: string, answer: unknown): NodeUnavailable | undefined {
  const { error } = fieldsOf(answer)
  if (error === undefined || error === null) return undefined
  const { message, code, data } = fieldsOf(error)
  return classifyRpcError(host, method, { message: String(message ?? 'refused'), code, data })
}

export function quantity(value: bigint): Hex {
  return `0x${value.toString(16)}`
}

export function toBigInt(value: unknown): bigint {
  const text = toHex(value)
  if (text === '0x') throw new NodeUnavailable('a number is missing in a reply')
  return BigInt(text)
}

export function toHex(value: unknown): Hex {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]*$/.test(value)) {
    throw new NodeUnavailable('a hex value is missing in a reply')
  }
  return value.toLowerCase() as Hex
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null)
    throw new NodeUnavailable('a reply is not an object')
  return value as Record<string, unknown>
}
