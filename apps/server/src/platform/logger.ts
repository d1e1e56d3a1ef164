import { pino } from 'pino'

export type Logger = pino.Logger
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'

/** JSON lines to standard output. Tokens, signatures and keys never reach a line. */
export function createLogger(level: LogLevel): Logger {
  return pino({
    level,
    base: null,
    redact: {
      paths: ['req.headers.authorization', '*.signature', '*.token', '*.privateKey'],
      censor: '[hidden]',
    },
  })
}
