/** Random numbers that a seed determines. */
export type Random = {
  /** From 0 up to, but without, 1. */
  next(): number
  /** A whole number from 0 up to, but without, `below`. */
  below(below: number): number
  pick<T>(of: readonly T[]): T
  chance(part: number): boolean
  bytes(length: number): Buffer
}

/** The generator is `mulberry32`: 32 bits of state, good enough to draw stories. */
export function randomFrom(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick(of) {
      const picked = of[below(of.length)]
      if (picked === undefined) throw new RangeError('nothing to pick from')
      return picked
    },
    chance: (part) => next() < part,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  }
}
