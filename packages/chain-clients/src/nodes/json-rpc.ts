import type { Hex } from 'viem'
import { classifyRpcError } from './classify.ts'
import { anything, type Decode, object, or, wordsOf } from './decode.ts'
import { NodeUnfit } from './failures.ts'
import type { NodeClient } from './node-client.ts'

/**
 * Calls a JSON-RPC node and reads the `result`.
 * @throws NodeUnfit for any other reply; the failure that an error envelope reports
 */
export type JsonRpc = {
  <T>(method: string, params: readonly unknown[], result: Decode<T>): Promise<T>
  /** Without the path, because paths contain keys. */
  host: string
}

const ENVELOPE = object({ id: anything, result: anything, error: or(anything, null) })
const ERROR = object({ message: or(anything, 'refused'), code: anything, data: anything })

export function createJsonRpc(node: NodeClient): JsonRpc {
  let lastId = 0
  const ask = <T>(method: string, params: readonly unknown[], result: Decode<T>): Promise<T> => {
    lastId += 1
    const id = lastId
    const body = { jsonrpc: '2.0', id, method, params }
    return node.post('', body, (answer) => {
      const envelope = ENVELOPE(answer, method)
      if (envelope.error !== null) {
        const { message, code, data } = ERROR(envelope.error, `${method}.error`)
        throw classifyRpcError(node.host, method, {
          message: wordsOf(message),
          ...{ code: typeof code === 'number' ? code : wordsOf(code), data: wordsOf(data) },
        })
      }
      // Without these checks, a broken reply or that to another question would look like "not found".
      if (envelope.id !== id) throw new NodeUnfit(`${method}: the reply to another request`)
      if (envelope.result === undefined) throw new NodeUnfit(`${method}: a reply without a result`)
      return result(envelope.result, method)
    })
  }
  return Object.assign(ask, { host: node.host })
}

export function quantityOf(value: bigint): Hex {
  return `0x${value.toString(16)}`
}
