/** The kinds of the values at one place of a reply, such as `decimal of 6 places`. */
export type Kinds = Map<string, Set<string>>

/** Decimals with at least as many places are amounts, which always have all of them. */
const AMOUNT_PLACES = 6

const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, 'instant'],
  [/^\d{4}-\d\d-\d\d$/, 'day'],
  [/^T[1-9A-HJ-NP-Za-km-z]{33}$/, 'Tron address'],
  [/^0x[\da-fA-F]{40}$/, 'EVM address'],
  [/^0x[\da-f]{64}$/, '0x hash'],
  [/^[\da-f]{64}$/, 'hash'],
  // Stands for the hash until there is one.
  [/^(RW|RTX)-[\w-]+$/, 'hash'],
  [/^-?\d+$/, 'digits'],
]

const DECIMAL = /^decimal/

function kindOf(value: string | number | boolean): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction'
  if (typeof value === 'boolean') return 'boolean'
  const places = /^-?\d+\.(\d+)$/.exec(value)?.[1]?.length
  if (places !== undefined) return places < AMOUNT_PLACES ? 'digits' : `decimal of ${places} places`
  return TEXTS.find(([pattern]) => pattern.test(value))?.[1] ?? 'text'
}

/** Collects the kinds of everything in a reply by its place; the items of a list share one place. */
export function collectKinds(value: unknown, place = '', found: Kinds = new Map()): Kinds {
  if (value === null || value === undefined) return found
  if (Array.isArray(value)) {
    for (const item of value) collectKinds(item, `${place}[]`, found)
  } else if (typeof value === 'object') {
    for (const [name, inner] of Object.entries(value))
      collectKinds(inner, `${place}.${name}`, found)
  } else {
    const kinds = found.get(place) ?? new Set()
    found.set(place, kinds.add(kindOf(value as string | number | boolean)))
  }
  return found
}

/** What the second has that the first lacks. A place that the first never filled says nothing, and a text may be any. */
export function strangeKinds(known: Kinds, other: Kinds): string[] {
  return [...other].flatMap(([place, kinds]) => {
    const allowed = known.get(place)
    if (allowed === undefined || allowed.has('text')) return []
    // Balances in the coins of a chain have as many places as they need.
    const isOfAnyLength = [...allowed].filter((kind) => DECIMAL.test(kind)).length > 1
    return [...kinds]
      .filter((kind) => !allowed.has(kind) && !(isOfAnyLength && DECIMAL.test(kind)))
      .map(
        (kind) => `${place} is ${kind}, which the service answers as ${[...allowed].join(' or ')}`,
      )
  })
}
