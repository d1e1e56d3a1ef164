/** A row by column, as the driver accepts it. */
export type Row = Readonly<Record<string, string | number | boolean | Buffer | null>>

/** The guards of one table, each with a change that it refuses before any other guard does. */
export type TableGuards = {
  table: string
  /** A statement required before rows can be written in a transaction. */
  prepare?: string
  /** Existing rows, for this table's guards and those of tables that refer to it. */
  rows: readonly Row[]
  /** One more row, which the database accepts unless it already violates a guard below (`{}`). */
  next: Row
  /** Constraints and unique indexes by name: the change of `next` that each refuses. */
  refused: Readonly<Record<string, Row>>
  /** Guards that any invalid row violates together with another one; only their existence can be tested. */
  implied?: readonly string[]
  /** Guards that no new row can violate: triggers, and guards of the only row of a table. */
  statements?: readonly StatementGuard[]
}

export type StatementGuard = {
  /** The trigger, constraint or index. */
  name: string
  /** The constraint named by its error, or the error's message if it names none. */
  answer: string
  /** The refused statement; of several separated by semicolons, the last one. */
  to: readonly string[]
}

export const AT = '2026-01-15T00:00:00Z'
export const LATER = '2026-01-16T00:00:00Z'

export const address = (fill: number) => Buffer.alloc(20, fill)
export const hash = (fill: number) => Buffer.alloc(32, fill)
/** Too short for an address or a hash. */
export const SHORT = Buffer.alloc(5, 1)
/** An id without a row. */
export const NOBODY = 404

/** One statement for each column, which sets it to the given SQL value. */
export function updates(table: string, columns: Readonly<Record<string, string>>): string[] {
  return Object.entries(columns).map(
    ([column, value]) => `update ${table} set ${column} = ${value}`,
  )
}
