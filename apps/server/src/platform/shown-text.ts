import { SHOWN_DECIMALS } from '@dct/money'
import { type RawBuilder, sql } from 'kysely'
import { UTC_OFFSET_HOURS } from './clock.ts'
import { likePattern } from './http/lists.ts'

/** SQL for values as the pages format them, so that users can search for what they see. */

/** The business day of an instant. */
export function shownDay(instant: RawBuilder<unknown>): RawBuilder<string> {
  return sql`formatted_day((${instant} at time zone make_interval(hours => ${UTC_OFFSET_HOURS}::int))::date)`
}

/** Whether one of the words that pages show, in any of their languages, contains a search text. */
export function showsWord(words: readonly string[], search: string): boolean {
  const wanted = search.toLowerCase()
  return words.some((word) => word.toLowerCase().includes(wanted))
}

/** Whether an amount, as pages show it, contains a search text. A comma is a decimal sign, as Indonesian pages write it. */
export function showsAmount(
  base: RawBuilder<unknown>,
  { decimals, search }: { decimals: number; search: string },
): RawBuilder<boolean> {
  const plain = /^[\d.]*,\d*$/.test(search) ? search.replaceAll('.', '').replace(',', '.') : search
  return sql`${shownAmount(base, decimals)} like ${likePattern(plain)}`
}

/** The text of an amount in base units, of an asset with this many decimals. */
function shownAmount(base: RawBuilder<unknown>, decimals: number): RawBuilder<string> {
  return sql`round(${base} / ${10n ** BigInt(decimals)}::numeric, ${SHOWN_DECIMALS}::int)::text`
}
