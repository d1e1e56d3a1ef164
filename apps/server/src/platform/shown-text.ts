import { SHOWN_DECIMALS } from '@dct/money'
import { type RawBuilder, sql } from 'kysely'
import { UTC_OFFSET_HOURS } from './clock.ts'

/** SQL for values as the pages format them, so that users can search for what they see. */

/** The business day of an instant. */
export function shownDay(instant: RawBuilder<unknown>): RawBuilder<string> {
  return sql`formatted_day((${instant} at time zone make_interval(hours => ${UTC_OFFSET_HOURS}::int))::date)`
}

/** An amount of base units, of an asset with so many decimals. */
export function shownAmount(base: RawBuilder<unknown>, decimals: number): RawBuilder<string> {
  return sql`round(${base} / ${10n ** BigInt(decimals)}::numeric, ${SHOWN_DECIMALS}::int)::text`
}
