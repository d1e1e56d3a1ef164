import { RpcError } from '../../core/rpc.ts'

/** The text that java-tron sends when an error has no data. */
const NO_DATA = '{}'

/** The error for a call that reaches no method. Unlike a method's own errors, it has no data. */
export function uncallable(code: -32601 | -32602, message: string): RpcError {
  return new RpcError({ code, message })
}

export function invalidParams(message: string): RpcError {
  return new RpcError({ code: -32602, message, data: NO_DATA })
}

export function invalidRequest(message: string): RpcError {
  return new RpcError({ code: -32600, message, data: NO_DATA })
}

export function methodNotFound(message: string): RpcError {
  return new RpcError({ code: -32601, message, data: NO_DATA })
}

export function tooManyResults(message: string): RpcError {
  return new RpcError({ code: -32005, message, data: NO_DATA })
}

export function internalError(message: string, data: string = NO_DATA): RpcError {
  return new RpcError({ code: -32000, message, data })
}
