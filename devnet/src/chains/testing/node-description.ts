import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { HTTP_REPLIES, RPC_RESULTS } from './node-replies.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true })
const failure = { type: 'object', properties: { Error: { type: 'string' } }, required: ['Error'] }
const compiled = new Map<object, ValidateFunction>()

/** How a `/wallet/` reply deviates from the possible replies of a real node; empty if it doesn't. */
export function checkHttpReply(call: string, reply: unknown): string[] {
  const isFailure = typeof reply === 'object' && reply !== null && 'Error' in reply
  return check(isFailure ? failure : HTTP_REPLIES[call], reply)
}

/** How a JSON-RPC result deviates from the possible results of a real node; empty if it doesn't. */
export function checkRpcResult(method: string, result: unknown): string[] {
  return check(RPC_RESULTS[method], result)
}

function check(schema: object | undefined, reply: unknown): string[] {
  if (schema === undefined) return ['a real node has no such call']
  const validate = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, validate)
  if (validate(reply)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }: ErrorObject) =>
      `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}
