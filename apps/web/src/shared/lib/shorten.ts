const KEPT = 5

/** The first five and last five characters; values of up to 13 characters stay whole. */
export function shorten(value: string): string {
  return value.length > KEPT * 2 + 3 ? `${value.slice(0, KEPT)}...${value.slice(-KEPT)}` : value
}

/** Splits a whole address or hash into groups of four, so that people can compare it with another screen. */
export function groupsOf(value: string): string[] {
  const prefix = value.startsWith('0x') ? ['0x'] : []
  const rest = value.slice(prefix.length * 2)
  return [...prefix, ...(rest.match(/.{1,4}/g) ?? [])]
}
