import { type RawBuilder, sql } from 'kysely'
import type { BusinessDay } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { account, type Transfer } from '../../ledger/index.ts'
import { own } from '../earnings.tables.ts'
import { sharedDistribution } from './distribution-lock.ts'

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
 * Exempts one earning for some days, both included, on which its fee was paid but not yet settled here. What had lapsed on
 * them is credited again. Idempotent. Takes the shared lock of the plan's daily run, then the earning's row; the caller
 * must hold neither that row nor the ledger's accounts.
 * @returns the transfers that book it
 */
export async function exemptHolder(
  tx: Tx,
  exemption: {
    earningId: bigint
    first: BusinessDay
    last: BusinessDay
    at: Date
  },
): Promise<Transfer[]> {
  const { earningId, first, last, at } = exemption
  await lockEarning(tx, earningId)
  await sql`
    insert into earning_exemption (earning_id, day, reason)
    select e.id, e.start_day + n, 'late_settlement' from earning e
      cross join lateral generate_series(
        greatest(1, ${first}::date - e.start_day), least(e.cycles, ${last}::date - e.start_day)) n
    where e.id = ${earningId} on conflict do nothing`.execute(tx)
  await recountOwnExemptions(tx, [earningId])
  return creditExemptCycles(tx, { earningId, at })
}

/** Locks an earning as a claim does: first out the daily run of its plan, then its row. */
export async function lockEarning(tx: Tx, earningId: bigint): Promise<void> {
  const planId = sql`select plan_id from earning where id = ${earningId}`
  await sql`select ${sharedDistribution(planId)}`.execute(tx)
  await own(tx)
    .selectFrom('earning')
    .select('id')
    .where('id', '=', earningId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/**
 * Credits again what lapsed on the exempt days of an earning, as far as no claim has passed it by. The caller has called
 * `lockEarning`.
 * @returns the transfers that book it
 */
export async function creditExemptCycles(
  tx: Tx,
  { earningId, at }: { earningId: bigint; at: Date },
): Promise<Transfer[]> {
  const again = await creditAgain(tx, { of: sql`e.id = ${earningId}`, from: sql`e.start_day` })
  return again.map(({ lastDay, ...credited }) =>
    bookingOf({ ...credited, ref: `${earningId}:${lastDay}`, at }),
  )
}

/**
 * The same for all earnings of a plan, on the last day that was run. The caller excludes everybody else from the plan's
 * daily run.
 */
export async function creditExemptDay(
  tx: Tx,
  { planCode, day, at }: { planCode: string; day: BusinessDay; at: Date },
): Promise<Transfer[]> {
  const again = await creditAgain(tx, {
    of: sql`e.plan_code = ${planCode}`,
    from: sql`${day}::date`,
  })
  return again.map(({ amount }) => bookingOf({ planCode, amount, ref: `${planCode}/${day}`, at }))
}

/** Of the earnings that match, called `e` in SQL, and their unclaimed cycles since a day. */
async function creditAgain(
  tx: Tx,
  { of, from }: Record<'of' | 'from', RawBuilder<unknown>>,
): Promise<{ planCode: string; lastDay: BusinessDay; amount: bigint }[]> {
  const { rows } = await sql<{ planCode: string; lastDay: BusinessDay; amount: bigint }>`
    with again as (
      select e.id, e.plan_id, e.plan_code, r.day, r.cycle, r.lapsed_amount as amount
      from earning e join distribution_cursor c on c.plan_id = e.plan_id
        cross join lateral reward_cycles(e.start_day, e.reward, e.cycles, e.lapsed,
          greatest(${from}, e.start_day + e.claimed_through + 1), c.through_day) r
      where ${of} and e.lapsed <> '{}' and not e.is_settled and r.lapsed_amount is not null
        and (exists (select from exempt_day x where x.day = r.day)
          or exists (select from earning_exemption o where o.earning_id = e.id and o.day = r.day))),
    earnings as (
      update earning e set lapsed = e.lapsed - a.cycles
      from (select id, range_agg(int4range(cycle, cycle + 1)) as cycles from again group by id) a
      where e.id = a.id),
    days as (
      update distribution_day d set credited = d.credited + a.amount, lapsed = d.lapsed - a.amount,
        lapsed_count = d.lapsed_count - a.count
      from (select plan_id, day, count(*), sum(amount) as amount from again group by plan_id, day) a
      where d.plan_id = a.plan_id and d.day = a.day)
    select plan_code as "planCode", max(day) as "lastDay", sum(amount) as amount
    from again group by plan_code`.execute(tx)
  return rows
}

function bookingOf({
  planCode,
  amount,
  ref,
  at,
}: { planCode: string } & Pick<Transfer, 'amount' | 'ref' | 'at'>): Transfer {
  return {
    debit: account.lapsed(planCode),
    credit: account.credited(planCode),
    asset: 'DCT',
    amount,
    kind: 'reward_credited_again',
    ref,
    at,
  }
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

/** Those of the days that are exempt for all earnings. */
export async function exemptDaysAmong(
  tx: Tx,
  days: readonly BusinessDay[],
): Promise<ReadonlySet<string>> {
  const rows = await own(tx)
    .selectFrom('exempt_day')
    .select('day')
    .where('day', 'in', days)
    .execute()
  return new Set(rows.map(({ day }) => day))
}

/**
 * Exempts all earnings for a day, also in retrospect. Idempotent. What had lapsed on it is credited again by the next daily
 * run of each plan, which excludes claims meanwhile.
 */
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
