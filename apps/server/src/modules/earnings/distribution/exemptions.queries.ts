import { type RawBuilder, sql } from 'kysely'
import type { BusinessDay } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { own } from '../earnings.tables.ts'

/**
 * SQL for the number of days exempt for all earnings, after an earning's last claim and up to and including `through`.
 * For queries in which the earning is called `e`.
 */
export function exemptDaysSince(through: ReturnType<typeof sql<string>>) {
  const days = sql`(select coalesce(array_agg(x.day order by x.day), '{}') from exempt_day x)`
  const claimedDay = sql`(e.start_day + e.claimed_through)`
  return sql<number>`(width_bucket(${through}, ${days}) - width_bucket(${claimedDay}, ${days}))`
}

/**
 * Exempts one earning for one day on which its fee was paid but not yet settled here. Idempotent.
 * @returns whether the exemption is new
 */
export async function exemptHolder(
  tx: Tx,
  exemption: { earningId: bigint; day: BusinessDay },
): Promise<boolean> {
  await own(tx)
    .selectFrom('earning')
    .select('id')
    .where('id', '=', exemption.earningId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const added = await own(tx)
    .insertInto('earning_exemption')
    .values({ earning_id: exemption.earningId, day: exemption.day, reason: 'late_settlement' })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  await recountOwnExemptions(tx, [exemption.earningId])
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/**
 * SQL for the number of an earning's own exempt days after a cycle, without those exempt for all earnings. For queries
 * in which the earning is called `e`.
 */
export function ownExemptionsAfter(cycle: RawBuilder<unknown>) {
  return sql`(
    select count(*) from earning_exemption o
    where o.earning_id = e.id and o.day > e.start_day + ${cycle}
      and o.day <= e.start_day + e.cycles
      and not exists (select from exempt_day x where x.day = o.day))`
}

/** Recalculates `own_exempt_days` of earnings. The caller holds the locks on their rows. */
export async function recountOwnExemptions(tx: Tx, earningIds: readonly bigint[]): Promise<void> {
  if (earningIds.length === 0) return
  await sql`
    update earning e set own_exempt_days = ${ownExemptionsAfter(sql`e.claimed_through`)}
    where e.id in (${sql.join(earningIds)})`.execute(tx)
}

/** Exempts all earnings for a day, also in retrospect. Idempotent. */
export async function exemptEverybody(
  tx: Tx,
  exemption: { day: BusinessDay; reason: 'late_run' | 'claims_unavailable'; at: Date },
): Promise<void> {
  const added = await own(tx)
    .insertInto('exempt_day')
    .values({ day: exemption.day, reason: exemption.reason, recorded_at: exemption.at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if ((added.numInsertedOrUpdatedRows ?? 0n) === 0n) return
  const exempt = await own(tx)
    .selectFrom('earning_exemption')
    .innerJoin('earning', 'earning.id', 'earning_exemption.earning_id')
    .select('earning.id')
    .where('earning_exemption.day', '=', exemption.day)
    .orderBy('earning.id')
    .forUpdate('earning')
    .execute()
  await recountOwnExemptions(
    tx,
    exempt.map(({ id }) => id),
  )
}
