/** A set of user ids: one bit each, in the bit order of PostgreSQL's `get_bit`. */
export type IdSet = { bits: Buffer; size: number }

/** A set with room for ids below `end`. */
export function emptyIds(end: number): IdSet {
  return { bits: Buffer.alloc((end >> 3) + 1), size: 0 }
}

export function hasId({ bits }: IdSet, id: number): boolean {
  return (((bits[id >> 3] ?? 0) >> (id & 7)) & 1) === 1
}

export function addId(set: IdSet, id: number): void {
  if (hasId(set, id)) return
  set.bits[id >> 3] = (set.bits[id >> 3] ?? 0) | (1 << (id & 7))
  set.size += 1
}

export function removeId(set: IdSet, id: number): void {
  if (!hasId(set, id)) return
  set.bits[id >> 3] = (set.bits[id >> 3] ?? 0) & ~(1 << (id & 7))
  set.size -= 1
}

/** Visits all ids of a set in ascending order. */
export function forEachId({ bits }: IdSet, visit: (id: number) => void): void {
  for (let at = 0; at < bits.length; at += 1) {
    let byte = bits[at] ?? 0
    for (let id = at * 8; byte > 0; id += 1, byte >>= 1) if ((byte & 1) === 1) visit(id)
  }
}

/** Positions in ascending order: the first is 0, and `end` is exclusive. */
export type Span = { from: number; end: number }

/** The ids of a set between two positions. */
export function idsOf(set: IdSet, { from, end }: Span = { from: 0, end: set.size }): number[] {
  const ids: number[] = []
  let place = 0
  forEachId(set, (id) => {
    if (place >= from && place < end) ids.push(id)
    place += 1
  })
  return ids
}

/** The intersection of a set with `ids`. */
export function commonIds(set: IdSet, ids: Iterable<number>): IdSet {
  const common: IdSet = { bits: Buffer.alloc(set.bits.length), size: 0 }
  for (const id of ids) if (hasId(set, id)) addId(common, id)
  return common
}

/** The ids of a set that are not in the other one. */
export function idsWithout(set: IdSet, others: IdSet): number[] {
  const ids: number[] = []
  forEachId(set, (id) => {
    if (!hasId(others, id)) ids.push(id)
  })
  return ids
}
