import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import {
  addDays,
  type BusinessDay,
  DAY_MS,
  startOfBusinessDay,
} from '../apps/server/src/platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../apps/server/src/platform/database/db.ts'
import { givenPlan } from '../apps/server/src/testing/plans.ts'

/** Users, claims and payments are spread from `FIRST_DAY` to `TODAY`, stakes from `FIRST_STAKE_DAY`. */
const FIRST_DAY = '2026-01-01' as BusinessDay
export const TODAY = '2026-11-01' as BusinessDay
/** Noon of today. */
export const NOW = new Date(startOfBusinessDay(TODAY).getTime() + DAY_MS / 2)
export const FIRST_STAKE_DAY = addDays(TODAY, -10)
/**
 * The number of users with referrals and reward rows. Every other user is referred by one of them; all users have a
 * balance.
 */
const REFERRERS = 1_000
const ADMINS = 5
/** Receives the direct reward of every tenth fee. */
export const BUSY_USER = 7

/** A user's address as 20 bytes. */
export function addressOf(user: number): Buffer {
  return createHash('sha256').update(`${user}`).digest().subarray(0, 20)
}

/** The hash of a transaction: a join (`j`), fee (`f`), later payout (`l`) or referral payout (`r`). */
export function hashOf(kind: 'j' | 'f' | 'l' | 'r', id: number): Buffer {
  return createHash('sha256').update(`${kind}${id}`).digest()
}

/** `stakesFrom`: the day on which the first stake began. `isStakesOnly`: with users and stakes, and nothing else. */
export type ListRows = { rows: number; stakesFrom: BusinessDay; isStakesOnly: boolean }

/**
 * Fills an empty database with `rows` users, stakes, claims, payments, payouts, referral rewards, referral claims and
 * admin actions, one of each per user. Triggers are disabled, so the counts that they maintain are written here too.
 * Indexes are created afterwards, which takes a fraction of the time.
 */
export async function fillAdminLists(
  db: Db,
  { rows, stakesFrom, isStakesOnly }: ListRows,
): Promise<void> {
  const clock = { now: () => startOfBusinessDay(stakesFrom) }
  for (const code of ['PLAN-360', 'PLAN-720']) await givenPlan({ db, clock }, { code })
  const indexes = await takeIndexes(db)
  await inTransaction(db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await addUsers(tx, rows)
    await addStakes(tx, rows, stakesFrom)
    if (isStakesOnly) return
    await addPayouts(tx, rows)
    await addClaims(tx, rows)
    await addPayments(tx, rows)
    await addReferralRewards(tx, rows)
    await addReferralClaims(tx, rows)
    await addActs(tx, rows)
  })
  for (const index of indexes) await sql`${sql.raw(index)}`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

const FILLED = ['app_user', 'earning', 'claim', 'usdt_receipt', 'payout', 'referral_claim']

/** Drops every index that no constraint needs. @returns the statements that recreate them */
async function takeIndexes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    where i.indrelid = any(${FILLED}::text[]::regclass[])
      and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`.execute(db)
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(db)
  return rows.map(({ definition }) => definition)
}

/** The timestamp of row `i` when `rows` rows are spread evenly from `from` until now. */
function instant(from: BusinessDay, rows: number): RawBuilder<Date> {
  const span = NOW.getTime() - startOfBusinessDay(from).getTime()
  return sql`(${startOfBusinessDay(from)}::timestamptz + i * ${span / rows}::float8 * interval '1 millisecond')`
}

const address = (id: RawBuilder<unknown>) => sql`substr(sha256((${id})::text::bytea), 1, 20)`
const hash = (kind: string) => sql`sha256((${kind} || i)::bytea)`

async function addUsers(tx: Tx, rows: number): Promise<void> {
  const code = sql`(select string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789',
    (i * 2654435761 / (32 ^ k)::bigint % 32)::integer + 1, 1), '') from generate_series(0, 7) k)`
  await sql`
    insert into app_user (id, address, email, role, referral_code, referrer_id, depth, referral_reward_bps, created_at)
      overriding system value
    select i, ${address(sql`i`)}, substr(md5(i::text), 1, 8) || '@example.org',
      case when i <= ${ADMINS} then 'admin' else 'user' end, ${code},
      case when i > ${REFERRERS} then i % ${REFERRERS} + 1 end, (i > ${REFERRERS})::integer,
      case when i % 50 = 0 then 500 else 0 end, ${instant(FIRST_DAY, rows)}
    from generate_series(1, ${rows}::bigint) i`.execute(tx)
  await sql`select setval(pg_get_serial_sequence('app_user', 'id'), ${rows}::bigint)`.execute(tx)
  await sql`
    insert into referral_node (user_id, referrer_id, depth, jump_id, jump_depth, zone_id, rate_bps)
    select id, referrer_id, depth, coalesce(referrer_id, id), 0, referrer_id, referral_reward_bps from app_user`.execute(
    tx,
  )
  await sql`
    insert into downline_total (user_id, directs, members, locked, turnover, deepest)
    select u.id, coalesce(d.directs, 0), coalesce(d.directs, 0), 10000000, coalesce(d.directs, 0) * 30000000,
      coalesce(sign(d.directs), 0)
    from app_user u left join (
      select referrer_id, count(*) as directs from app_user group by 1) d on d.referrer_id = u.id`.execute(
    tx,
  )
  await sql`insert into service_count values ('users', 0, ${rows})`.execute(tx)
}

/** Of all cycles that were run, the last few of a stake are unclaimed; of one stake in fifty, ten others lapsed. */
async function addStakes(tx: Tx, rows: number, from: BusinessDay): Promise<void> {
  const run = sql`greatest(0, least(p.duration_days, ${TODAY}::date - start_day))`
  const amount = sql`(10000000 + i * 7919 % 40000001)`
  await sql`
    insert into earning (id, stake_id, staker, is_registered, plan_id, plan_code, amount, reward, cycles, freeze_limit,
      started_at, ends_at, start_day, claimed_through, lapsed, tx_hash, log_index, block_number, booked_at)
      overriding system value
    select i, i, ${address(sql`i`)}, i % 100 > 0, p.id, p.code, ${amount},
      div(${amount}::numeric * p.rate_bps, 10000), p.duration_days, 30, at,
      at + p.duration_days * interval '1 day', start_day, greatest(0, ${run} - 10),
      case when i % 50 = 0 and ${run} > 100 then '{[51,61)}'::int4multirange else '{}' end, ${hash('j')}, 0, i, at
    from (select i, at, ((at at time zone 'UTC') + interval '7 hours')::date as start_day
        from (select i, ${instant(from, rows)} as at from generate_series(1, ${rows}::bigint) i) o) s
      join earning_plan p on p.id = i % 2 + 1`.execute(tx)
  await sql`
    insert into announced_join
      (tx_hash, user_id, staker, plan_code, amount, reward, cycles, announced_at, state, reason)
    select ${hash('w')}, i, ${address(sql`i`)}, 'PLAN-360', 10000000, 7200000, 360,
      ${instant(FIRST_DAY, rows)}, 'FAILED', 'LOCK_FAILED'
    from generate_series(100, ${rows}::bigint, 100) i`.execute(tx)
  await sql`
    insert into daily_stake_count select plan_id, start_day, count(*) from earning group by 1, 2`.execute(
    tx,
  )
  await sql`
    insert into distribution_cursor
    select id, code, duration_days, ${TODAY}::date from earning_plan`.execute(tx)
  await sql`
    insert into distribution_day
    select s.plan_id, run, ${NOW}::timestamptz, sum(s.stakes), 0, 0
    from daily_stake_count s join earning_plan p on p.id = s.plan_id
      cross join generate_series(s.day + 1, least(${TODAY}::date, s.day + p.duration_days), interval '1 day') run
    group by 1, 2`.execute(tx)
}

/** Three out of five are USDT for the referral claim with the same number; one of those three is still open. */
async function addPayouts(tx: Tx, rows: number): Promise<void> {
  await sql`
    insert into payout_account (id, chain, holder, name) overriding system value
    select i, case when i % 5 > 1 then 'BSC' else 'TRON' end, ${address(sql`i`)},
      case when i % 5 > 1 then 'direct' else 'PLAN-360' end
    from generate_series(1, ${rows}::bigint) i`.execute(tx)
  await sql`
    insert into payout (id, account_id, chain, asset, cause, to_address, amount, plan_code, state, created_at,
      final_tx, final_block, final_at) overriding system value
    select i, i, case when is_usdt then 'BSC' else 'TRON' end, case when is_usdt then 'USDT' else 'DCT' end,
      case when is_usdt then 'referral-claim:' else 'claim:' end || i, ${address(sql`i`)},
      1000000 + i * 7919 % 4000001, case when not is_usdt then 'PLAN-360' end,
      case when is_open then 'waiting' else 'final' end, at,
      case when not is_open then ${hash('r')} end, case when not is_open then i end, case when not is_open then at end
    from (select i, i % 5 > 1 as is_usdt, i % 5 = 4 as is_open, ${instant(FIRST_DAY, rows)} as at
      from generate_series(1, ${rows}::bigint) i) s`.execute(tx)
}

/** Out of ten, six are paid, two wait for their fee, one was cancelled and one lapsed. */
async function addClaims(tx: Tx, rows: number): Promise<void> {
  await sql`
    insert into claim (id, code_claim, earning_id, stake_id, staker, user_id, plan_code, kind, first_cycle, last_cycle,
      previous_through, amount, now_amount, later_amount, price, unpaid_fee, fee_usdt, energy_fee, exact_amount, receiver,
      not_before_block, state, requested_at, fee_until, paid_at, deadline, closed_at, fee_tx, fee_log_index, now_tx,
      later_tx) overriding system value
    select i, 'CL-' || lpad(upper(to_hex(i)), 16, '0'), i, i, ${address(sql`i`)}, i, 'PLAN-' || case i % 2 when 0 then 360 else 720 end,
      case when is_half then 'HALF' else 'FULL' end, 1, 5, 0, amount,
      case when is_half then div(amount, 2) else 0 end, case when is_half then amount - div(amount, 2) else amount end,
      1000000, 500000, 500000, 100000, 600000 + i, decode(repeat('11', 20), 'hex'), 0, state, at,
      at + interval '90 days', case when state = 'paid' then at + interval '1 hour' end, null,
      case when state in ('cancelled', 'lapsed') then at + interval '1 hour' end,
      case when state = 'paid' then ${hash('f')} end, case when state = 'paid' then 0 end,
      case when is_half then ${hash('n')} end, case when state = 'paid' then ${hash('l')} end
    from (select i, i % 2 = 0 as is_half, (600000 + i * 7919 % 4000001)::numeric as amount,
        (array['paid', 'awaiting_fee', 'paid', 'cancelled', 'paid', 'awaiting_fee', 'paid', 'lapsed', 'paid', 'paid'])[i % 10 + 1] as state,
        ${instant(FIRST_DAY, rows)} as at
      from generate_series(1, ${rows}::bigint) i) s`.execute(tx)
  await sql`insert into service_count select 'claimed', 0, sum(amount) from claim`.execute(tx)
}

/**
 * The fees of the paid claims, some settled by an admin; out of ten payments, three match no fee and one was refunded.
 */
async function addPayments(tx: Tx, rows: number): Promise<void> {
  await sql`
    insert into usdt_receipt (tx_hash, log_index, from_address, to_address, amount, block_number, block_time, state,
      claim_id, nearest_claim_id, handled_by, handled_at, return_tx, return_log_index)
    select ${hash('f')}, 0, ${address(sql`i`)}, decode(repeat('11', 20), 'hex'), 600000 + i, i,
      ${instant(FIRST_DAY, rows)}, case when c.state = 'paid' then 'settled' when i % 10 = 7 then 'refunded' else 'unmatched' end,
      case when c.state = 'paid' then i end, case when c.state <> 'paid' then i end,
      case when i % 10 in (4, 7) then 1 end, case when i % 10 in (4, 7) then c.requested_at end,
      case when i % 10 = 7 then ${hash('b')} end, case when i % 10 = 7 then 0 end
    from generate_series(1, ${rows}::bigint) i join claim c on c.id = i`.execute(tx)
}

async function addReferralRewards(tx: Tx, rows: number): Promise<void> {
  await sql`
    insert into referral_fee select i, i, 500000, 50000, 0 from generate_series(1, ${rows}::bigint) i`.execute(
    tx,
  )
  await sql`
    insert into referral_reward (fee_id, receiver_id, kind, row_number, level, rate_bps, amount, running, from_address,
      plan_code, created_at)
    select i, receiver, 'direct', row_number() over received, 1, 1000, amount, sum(amount) over received,
      ${address(sql`i`)}, 'PLAN-360', at
    from (select i, case when i % 10 = 0 then ${BUSY_USER}::bigint else i % ${REFERRERS} + 1 end as receiver,
        50000 + i % 1000 as amount, ${instant(FIRST_DAY, rows)} as at
      from generate_series(1, ${rows}::bigint) i) s
    window received as (partition by receiver order by i)`.execute(tx)
  await sql`
    insert into referral_balance (user_id, kind, row_count, earned)
    select receiver_id, kind, count(*), sum(amount) from referral_reward group by 1, 2
    union all
    select i, case i % 2 when 0 then 'indirect' else 'direct' end, 1, 1000 + i * 7919 % 100003
    from generate_series(${REFERRERS + 1}, ${rows}::bigint) i`.execute(tx)
}

/** Out of five, one awaits approval, one was declined, one is approved and two are paid. */
async function addReferralClaims(tx: Tx, rows: number): Promise<void> {
  await sql`
    insert into referral_claim (id, user_id, kind, amount, from_row, through_row, usdt_address, requested_at, state,
      approved_by, approved_at, payout_id, paid_tx, paid_block, paid_at, ended_by, ended_at, end_reason)
      overriding system value
    select i, i, case i % 2 when 0 then 'direct' else 'indirect' end, 1000000 + i * 7919 % 4000001, 0, 1,
      ${address(sql`i`)}, at, (array['requested', 'declined', 'paid', 'paid', 'approved'])[i % 5 + 1],
      case when i % 5 > 1 then 1 end, case when i % 5 > 1 then at end, case when i % 5 > 1 then i end,
      case when i % 5 in (2, 3) then ${hash('r')} end, case when i % 5 in (2, 3) then i end,
      case when i % 5 in (2, 3) then at end, case when i % 5 = 1 then 1 end, case when i % 5 = 1 then at end,
      case when i % 5 = 1 then 'Not now' end
    from (select i, ${instant(FIRST_DAY, rows)} as at from generate_series(${ADMINS + 1}, ${rows}::bigint) i) s`.execute(
    tx,
  )
}

async function addActs(tx: Tx, rows: number): Promise<void> {
  await sql`
    insert into admin_log (admin_id, action, subject, before, after, ip, at)
    select i % ${ADMINS} + 1, (array['price.set', 'claim.approve', 'payout.retry', 'rate.set', 'plan.change'])[i % 5 + 1],
      'CL-' || lpad(upper(to_hex(i)), 16, '0'), null, '{"state": "approved"}', '127.0.0.1', ${instant(FIRST_DAY, rows)}
    from generate_series(1, ${rows}::bigint) i`.execute(tx)
}
