import { RpcError } from '../../core/rpc.ts'

/** The text that java-tron sends when an error has no data. */
const NO_DATA = '{}'

/** The error for a call that reaches no method. Unlike a method's own errors, it has no data. */
export function uncallable(code: -32601 | -32602, message: string): RpcError {
  return new RpcError({ code, message })
}

const errorOf =
  (code: number) =>
  (message: string, data: string = NO_DATA): RpcError =>
    new RpcError({ code, message, data })

export const invalidParams = errorOf(-32602)
export const invalidRequest = errorOf(-32600)
export const methodNotFound = errorOf(-32601)
export const tooManyResults = errorOf(-32005)
export const internalError = errorOf(-32000)
