import { type RawBuilder, sql } from 'kysely'
import type { BusinessDay } from '../../platform/clock.ts'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import './earnings.tables.ts'

/**
 * How many days everybody is excused for lie after an earning's last claim and not after `through`. SQL for queries
 * in which the earning is called `e`.
 */
export function excusedDaysSince(through: ReturnType<typeof sql<string>>) {
  const days = sql`(select coalesce(array_agg(x.day order by x.day), '{}') from excused_day x)`
  const claimedDay = sql`(e.start_day + e.claimed_through)`
  return sql<number>`(width_bucket(${through}, ${days}) - width_bucket(${claimedDay}, ${days}))`
}

/**
 * Excuses one earning for one day, on which its holder's fee was paid and not yet settled by us. Safe to repeat.
 * @returns whether it was not excused before.
 */
export async function excuseHolder(
  tx: Tx,
  excuse: { earningId: bigint; day: BusinessDay },
): Promise<boolean> {
  await tx
    .selectFrom('earning')
    .select('id')
    .where('id', '=', excuse.earningId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const added = await tx
    .insertInto('earning_excuse')
    .values({ earning_id: excuse.earningId, day: excuse.day, reason: 'late_settlement' })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  await recountOwnExcuses(tx, [excuse.earningId])
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** An earning's own excuses after a cycle. SQL for queries in which the earning is called `e`. */
export function ownExcusesAfter(cycle: RawBuilder<unknown>) {
  return sql`(
    select count(*) from earning_excuse o
    where o.earning_id = e.id and o.day > e.start_day + ${cycle}
      and o.day <= e.start_day + e.cycles
      and not exists (select from excused_day x where x.day = o.day))`
}

/** Brings `own_excused` of earnings in line with their excuses. The caller holds the earnings' rows. */
export async function recountOwnExcuses(tx: Tx, earningIds: readonly bigint[]): Promise<void> {
  if (earningIds.length === 0) return
  await sql`
    update earning e set own_excused = ${ownExcusesAfter(sql`e.claimed_through`)}
    where e.id in (${sql.join(earningIds)})`.execute(tx)
}

/** Excuses everybody for a day, whenever that turns out. Safe to repeat. */
export async function excuseEverybody(
  tx: Tx,
  excuse: { day: BusinessDay; reason: 'late_run' | 'claims_unavailable'; at: Date },
): Promise<void> {
  const added = await tx
    .insertInto('excused_day')
    .values({ day: excuse.day, reason: excuse.reason, noted_at: excuse.at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if ((added.numInsertedOrUpdatedRows ?? 0n) === 0n) return
  const own = await tx
    .selectFrom('earning_excuse')
    .innerJoin('earning', 'earning.id', 'earning_excuse.earning_id')
    .select('earning.id')
    .where('earning_excuse.day', '=', excuse.day)
    .orderBy('earning.id')
    .forUpdate('earning')
    .execute()
  await recountOwnExcuses(
    tx,
    own.map(({ id }) => id),
  )
}

/** The days everybody is excused for, in order. */
export async function excusedDays(db: DbOrTx): Promise<string[]> {
  const rows = await db.selectFrom('excused_day').select('day').orderBy('day').execute()
  return rows.map(({ day }) => day)
}
