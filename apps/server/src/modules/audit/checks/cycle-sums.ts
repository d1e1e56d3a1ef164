import { type RawBuilder, sql } from 'kysely'

/**
 * SQL for what an earning's cycles after one and up to another credited, and what lapsed. For queries in which
 * `earning_view` is called `e`. The audit adds up on its own: asking the functions that pay would prove nothing.
 */
export function cycleSums({ after, through }: Record<'after' | 'through', RawBuilder<unknown>>) {
  const paidThrough = (cycle: RawBuilder<unknown>) => sql`div(e.reward * (${cycle}), e.cycles)`
  const lapsed = sql`(
    select coalesce(sum(${paidThrough(sql`least(upper(part) - 1, ${through})`)}
      - ${paidThrough(sql`greatest(lower(part) - 1, ${after})`)}), 0)
    from unnest(e.lapsed) part
    where lower(part) <= ${through} and coalesce(upper(part) - 1 > ${after}, true))`
  return {
    credited: sql`(${paidThrough(through)} - ${paidThrough(after)} - ${lapsed})`,
    lapsed,
  }
}
