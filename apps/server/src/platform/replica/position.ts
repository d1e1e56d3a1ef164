/** A position in the primary's write-ahead log: a server that has replayed it has every commit before it. */
export type Position = bigint

/** The position up to which a caller must see everything, and the run of the primary (`RUN`) that it belongs to. */
export type Seen = { position: Position; run: string | null }

/** The position before everything that was ever written. */
export const START: Seen = { position: 0n, run: null }

/**
 * SQL that identifies a run of a primary. Positions of different runs cannot be compared, because a failover or a
 * restored copy may have lost the newest ones. Null on a standby.
 */
export const RUN = `case when not pg_is_in_recovery() then
  substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8) || ' ' || extract(epoch from pg_postmaster_start_time()) end`

/** Reads PostgreSQL's form of a position, such as 16/B374D848. */
export function parsePosition(text: string): Position {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** A position of the primary, read at `takenAt` on the monotonic clock or later. */
type Mark = { takenAt: number; position: Position }

/**
 * The primary's recent positions. They show how old another server's data is without comparing clocks, however rarely
 * something is written: a server that has replayed a mark is at most as old as the mark.
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

  /** What a server must have replayed to be no older than `maxAgeMs`; undefined without a mark that recent. */
  needed(now: number): Position | undefined {
    return this.#marks.find(({ takenAt }) => takenAt >= now - this.#maxAgeMs)?.position
  }

  /** When the primary was last known to be at or before a position; undefined if that is more than `maxAgeMs` ago. */
  reachedAt(position: Position): number | undefined {
    return this.#marks.findLast((mark) => mark.position <= position)?.takenAt
  }
}
