const INFO = 30
const LEVELS: Readonly<Record<number, string>> = {
  30: 'info',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

/** Formats a JSON log line of the server as text; undefined if its level is below "info". */
export function readableLine(line: string): string | undefined {
  const record = parse(line)
  if (record === undefined) return line
  const { level, time, msg, err, ...fields } = record
  if (typeof level === 'number' && level < INFO) return undefined
  const words = [
    typeof time === 'number' ? new Date(time).toTimeString().slice(0, 8) : undefined,
    typeof level === 'number' ? LEVELS[level] : undefined,
    typeof msg === 'string' ? msg : undefined,
    ...Object.entries(fields).map(([name, value]) => `${name}=${asWord(value)}`),
    errorText(err),
  ]
  return words.filter((word) => word !== undefined).join('  ')
}

function parse(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line)
  } catch {
    // Not a log line, although it starts like one.
    return undefined
  }
}

function asWord(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function errorText(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const text = 'stack' in error ? error.stack : 'message' in error ? error.message : undefined
  return typeof text === 'string' ? `\n${text}` : JSON.stringify(error)
}
