/** A place in the primary's write-ahead log: whoever has replayed it has seen every commit before it. */
export type Position = bigint

/** A place that a caller must see, and the run of a primary (`RUN`) that told it. */
export type Seen = { position: Position; run: string | null }

/** Before everything that was ever written. */
export const START: Seen = { position: 0n, run: null }

/**
 * Names a run of a primary in SQL: places of another run cannot be compared with its own, because a failover or a restored
 * copy may have lost the last of them. Null on a standby.
 */
export const RUN = `case when not pg_is_in_recovery() then
  substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) || ' ' || extract(epoch from pg_postmaster_start_time()) end`

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
