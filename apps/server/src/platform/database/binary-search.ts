import type { BinarySearch } from '@dct/rules/binary-search-text'
import { type RawBuilder, sql } from 'kysely'
import { prefixPattern } from '../http/lists.ts'

/** Condition: a column of Tron addresses (20 bytes) matches a search. Needs an index on `tron_address_end(column)`. */
export function fitsAddress(
  column: RawBuilder<unknown>,
  search: BinarySearch,
): RawBuilder<boolean> {
  return fits(column, sql`tron_address_end(${column})`, search)
}

/** Condition: a column of bytes shown in hex matches a search. Needs an index on `hex_end(column)`. */
export function fitsHex(column: RawBuilder<unknown>, search: BinarySearch): RawBuilder<boolean> {
  return fits(column, sql`hex_end(${column})`, search)
}

function fits(
  column: RawBuilder<unknown>,
  end: RawBuilder<unknown>,
  { isBoth, range, reversedEnd }: BinarySearch,
): RawBuilder<boolean> {
  const parts = [
    ...(range === undefined
      ? []
      : [sql`${column} between ${Buffer.from(range.from)} and ${Buffer.from(range.to)}`]),
    ...(reversedEnd === undefined ? [] : [sql`${end} like ${prefixPattern(reversedEnd)}`]),
  ]
  return sql<boolean>`(${sql.join(parts, isBoth ? sql` and ` : sql` or `)})`
}

/** The disjunction of these conditions; false without any. */
export function anyOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`false` : sql`(${sql.join([...conditions], sql` or `)})`
}
