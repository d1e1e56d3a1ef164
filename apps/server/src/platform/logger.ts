import { type DestinationStream, pino } from 'pino'
import { hideSecrets } from './hide-secrets.ts'

export type Logger = pino.Logger
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** JSON lines to standard output. Tokens, signatures and keys never reach a line, however deeply nested. */
export function createLogger(level: LogLevel, destination?: DestinationStream): Logger {
  return pino(
    { level, base: null, formatters: { log: hideSecrets }, serializers: { err: asIs } },
    destination,
  )
}

/** `hideSecrets` has already serialized the error. */
function asIs(error: unknown): unknown {
  return error
}
