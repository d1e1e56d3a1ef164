/** A place in the primary's write-ahead log: whoever has replayed it has seen every commit before it. */
export type Position = bigint

/** Before everything that was ever written. */
export const START: Position = 0n

/** Reads PostgreSQL's form of a position, such as 16/B374D848. */
export function parsePosition(text: string): Position {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** Where the primary was at a moment of the monotonic clock, or later. */
type Mark = { takenAt: number; position: Position }

/**
 * The primary's recent positions. They tell how old another server is without comparing clocks, however rarely something is
 * written: a server that has replayed a mark is at most as old as the mark.
 */
export class Marks {
  readonly #maxAgeMs: number
  readonly #marks: Mark[] = []

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs
  }

  add(mark: Mark): void {
    this.#marks.push(mark)
    while ((this.#marks[0]?.takenAt ?? 0) < mark.takenAt - this.#maxAgeMs) this.#marks.shift()
  }

  /** What a server must have replayed to be no older than the bound; undefined when the primary was not asked for so long. */
  needed(now: number): Position | undefined {
    return this.#marks.find(({ takenAt }) => takenAt >= now - this.#maxAgeMs)?.position
  }

  /** When the primary was last known to be where a server is now; undefined when that is longer ago than the bound. */
  reachedAt(position: Position): number | undefined {
    return this.#marks.findLast((mark) => mark.position <= position)?.takenAt
  }
}
