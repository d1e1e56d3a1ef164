/** Prepared statements use memory in each connection, so longer ones and more than `MAX_NAMED` are not prepared. */
const MAX_LENGTH = 5_000
const MAX_NAMED = 500
/** The maximum number of statements that are remembered as sent once. */
const MAX_SEEN_ONCE = 2_000
/** SQLSTATE: the result columns of a prepared statement have changed, as when an upgrade adds one at run time. */
const OUTDATED = '0A000'

const names = new Map<string, string>()
const seenOnce = new Set<string>()
let generation = 0

/** The name under which connections prepare a statement that is sent more than once; undefined for all others. */
export function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined) return known
  if (text.length > MAX_LENGTH || names.size === MAX_NAMED) return undefined
  if (!seenOnce.delete(text)) {
    if (seenOnce.size === MAX_SEEN_ONCE) seenOnce.clear()
    seenOnce.add(text)
    return undefined
  }
  const name = `prepared_${generation}_${names.size}`
  names.set(text, name)
  return name
}

/**
 * Call it with every error of a named statement. @returns true when the statement was outdated: all statements are then
 * prepared again under new names, so it can be sent again
 */
export function forgetOutdated(error: unknown): boolean {
  const isOutdated = error instanceof Error && 'code' in error && error.code === OUTDATED
  if (isOutdated) {
    names.clear()
    generation += 1
  }
  return isOutdated
}
