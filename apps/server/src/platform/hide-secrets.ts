import { pino } from 'pino'

const HIDDEN = '[hidden]'
/** Deeper objects are left out of a line. */
const MAX_DEPTH = 8
const SECRET =
  /^(authorization|cookie|set-cookie|signature|token)$|secret|password|passphrase|keystore|private_?key|api_?key|session_?hash/i

/** A copy for the log in which every value whose field name suggests a secret is hidden, at any depth. */
export function hideSecrets(line: Record<string, unknown>): Record<string, unknown> {
  return hideFields(line, 0)
}

function hideFields(fields: object, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      SECRET.test(name) ? HIDDEN : hideIn(value, depth + 1),
    ]),
  )
}

function hideIn(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return '[deep]'
  if (value instanceof Error) return hideFields(pino.stdSerializers.err(value), depth)
  if (Array.isArray(value)) return value.map((item) => hideIn(item, depth + 1))
  if ('toJSON' in value && typeof value.toJSON === 'function') return value
  return hideFields(value, depth)
}
