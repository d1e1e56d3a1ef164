import { type RawBuilder, sql } from 'kysely'
import type { DayRange } from '../../../platform/http/lists.ts'

/**
 * SQL that joins the cycles `r` of the earnings `e`, of all days or those of a range, and their plans' daily runs `c`.
 */
export function joinCycles({ from, to }: DayRange): RawBuilder<unknown> {
  return sql`
    join distribution_cursor c on c.plan_id = e.plan_id
    cross join lateral reward_cycles(e.start_day, e.reward, e.cycles, e.lapsed,
      ${from ?? '-infinity'}::date, least(c.through_day, ${to ?? 'infinity'}::date)) r`
}
