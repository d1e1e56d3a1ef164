import type { HistoryGroup } from '@dct/api-contract/history'
import { UTC_OFFSET_HOURS } from '@dct/rules/business-day'
import { type RawBuilder, sql } from 'kysely'
import type { BusinessDay } from '../../../platform/clock.ts'

type Sql = RawBuilder<unknown>

/** The columns of every source, with their types; null where a source has no value. */
const COLUMNS = {
  at: 'timestamptz',
  id: 'bigint',
  kind: 'text',
  direction: 'text',
  asset: 'text',
  amount: 'numeric',
  plan_code: 'text',
  first_day: 'date',
  last_day: 'date',
  days: 'bigint',
  code_claim: 'text',
  claim_type: 'text',
  bonus_type: 'text',
  rate_bps: 'integer',
  reason: 'text',
  tx_hash: 'bytea',
} as const
type Column = keyof typeof COLUMNS

/** The holder, and the days of cycles to read; `most` cycles of an earning are enough for a page. */
export type HistoryScope = {
  userId: bigint
  address: Buffer
  days: { from?: BusinessDay; to?: BusinessDay }
  direction: 'asc' | 'desc'
  rewards: 'daily' | 'monthly'
  most: number
}

/**
 * A source of items in a history. `at` and `id` identify an item within its source. Sources without `isOfPlan` have no
 * plan of the holder's own earnings, and are left out of a history of one plan.
 */
export type HistorySource = {
  group: Exclude<HistoryGroup, 'payments'>
  isPayment?: true
  isOfPlan: boolean
  items(scope: HistoryScope): Sql
}

/** A select list with all columns. */
function columns(given: Partial<Record<Column, Sql>>): Sql {
  const list = Object.entries(COLUMNS).map(
    ([name, type]) =>
      sql`${given[name as Column] ?? sql`null`}::${sql.raw(type)} as ${sql.ref(name)}`,
  )
  return sql.join(list)
}

const text = (value: string) => sql`${sql.lit(value)}`
const DCT_IN = { asset: text('DCT'), direction: text('in') }
const DCT_OUT = { asset: text('DCT'), direction: text('out') }
const BONUS = sql`case r.kind when 'direct' then 'direct bonus' else 'non-direct' end`
const OFFSET = sql`make_interval(hours => ${UTC_OFFSET_HOURS}::int)`
/** 00:00 of a cycle's business day (UTC+7), when its reward is due. */
const startOf = (day: Sql) => sql`((${day})::timestamp at time zone ${OFFSET})`

const account: HistorySource[] = [
  {
    group: 'account',
    isOfPlan: false,
    items: ({ userId }) => sql`
      select ${columns({ at: sql`u.created_at`, id: sql`u.id`, kind: text('registered') })}
      from app_user_view u where u.id = ${userId}`,
  },
  {
    group: 'account',
    isOfPlan: false,
    items: ({ userId }) => sql`
      select ${columns({
        ...{ at: sql`c.at`, id: sql`c.id`, kind: text('percentage_changed') },
        rate_bps: sql`c.value`,
      })}
      from setting_change_view c where c.user_id = ${userId}`,
  },
]

const capital: HistorySource[] = [
  {
    group: 'capital',
    isPayment: true,
    isOfPlan: true,
    items: ({ address }) => sql`
      select ${columns({
        ...{ at: sql`e.started_at`, id: sql`e.id`, kind: text('capital_locked'), ...DCT_OUT },
        ...{ amount: sql`e.amount`, plan_code: sql`e.plan_code`, tx_hash: sql`e.tx_hash` },
      })}
      from earning_view e where e.staker = ${address}`,
  },
  {
    group: 'capital',
    isPayment: true,
    isOfPlan: true,
    items: ({ address }) => sql`
      select ${columns({
        ...{ at: sql`e.released_at`, id: sql`e.id`, kind: text('capital_returned'), ...DCT_IN },
        ...{ amount: sql`e.amount`, plan_code: sql`e.plan_code`, tx_hash: sql`e.release_tx` },
      })}
      from earning_view e where e.staker = ${address} and e.released_at is not null`,
  },
  {
    group: 'capital',
    isOfPlan: true,
    // Announced joins have no numeric id: the first bits of the hash serve as one.
    items: ({ address }) => sql`
      select ${columns({
        at: sql`j.announced_at`,
        id: sql`('x' || substr(encode(j.tx_hash, 'hex'), 1, 14))::bit(56)`,
        ...{ kind: text('join_failed'), asset: text('DCT'), amount: sql`j.amount` },
        ...{ plan_code: sql`j.plan_code`, reason: sql`j.reason`, tx_hash: sql`j.tx_hash` },
      })}
      from announced_join_view j where j.staker = ${address} and j.state = 'FAILED'`,
  },
]

/** The cycles of each earning that were credited, or that lapsed. */
function cycles(kind: 'reward' | 'reward_lapsed'): HistorySource {
  const [is, amount] =
    kind === 'reward'
      ? [sql`r.lapsed_amount is null and r.amount > 0`, sql`r.amount`]
      : [sql`r.lapsed_amount > 0`, sql`r.lapsed_amount`]
  const shared = {
    id: sql`e.id`,
    kind: text(kind),
    asset: text('DCT'),
    plan_code: sql`e.plan_code`,
  }
  return {
    group: 'rewards',
    isOfPlan: true,
    items({ address, days, direction, rewards, most }) {
      const source = sql`
        reward_cycle_view r where r.earning_id = e.id and ${is}
          and r.day >= ${days.from ?? '-infinity'}::date and r.day <= ${days.to ?? 'infinity'}::date`
      if (rewards === 'daily') {
        return sql`
          select ${columns({
            ...{ ...shared, at: startOf(sql`c.day`), amount: sql`c.amount` },
            ...{ first_day: sql`c.day`, last_day: sql`c.day`, days: sql`1` },
          })}
          from earning_view e cross join lateral (
            select r.day, ${amount} as amount from ${source}
            order by r.day ${sql.raw(direction)} limit ${most}) c
          where e.staker = ${address}`
      }
      return sql`
        select ${columns({
          ...{ ...shared, at: startOf(sql`c.last_day`), amount: sql`c.amount` },
          ...{ first_day: sql`c.first_day`, last_day: sql`c.last_day`, days: sql`c.days` },
        })}
        from earning_view e cross join lateral (
          select min(r.day) as first_day, max(r.day) as last_day, count(*) as days, sum(${amount}) as amount
          from ${source} group by date_trunc('month', r.day)) c
        where e.staker = ${address}`
    },
  }
}

const rewards: HistorySource[] = [
  cycles('reward'),
  cycles('reward_lapsed'),
  {
    group: 'rewards',
    isOfPlan: true,
    items: ({ address }) => sql`
      select ${columns({
        ...{ at: sql`e.expired_at`, id: sql`e.id`, kind: text('reward_expired') },
        ...{ asset: text('DCT'), amount: sql`e.expired_amount`, plan_code: sql`e.plan_code` },
      })}
      from earning_view e
      where e.staker = ${address} and e.expired_amount is not null`,
  },
]

const ofClaim = {
  ...{ plan_code: sql`c.plan_code`, code_claim: sql`c.code_claim`, claim_type: sql`c.kind` },
}
/** A payment that was probably meant for a claim. Its position on the chain serves as its id. */
const ofReceipt = {
  id: sql`p.block_number * 100000 + p.log_index`,
  ...{ asset: text('USDT'), amount: sql`p.amount`, plan_code: sql`c.plan_code` },
  code_claim: sql`c.code_claim`,
}

const claims: HistorySource[] = [
  {
    group: 'claims',
    isOfPlan: true,
    items: ({ address }) => sql`
      select ${columns({
        ...{ at: sql`c.requested_at`, id: sql`c.id`, kind: text('claim_made'), ...ofClaim },
        ...{ asset: text('DCT'), amount: sql`c.amount` },
      })}
      from claim_view c where c.staker = ${address}`,
  },
  {
    group: 'claims',
    isOfPlan: true,
    items: ({ address }) => sql`
      select ${columns({
        ...{ at: sql`c.closed_at`, id: sql`c.id`, kind: sql`'claim_' || c.state`, ...ofClaim },
        ...{ asset: text('DCT'), amount: sql`c.later_amount` },
      })}
      from claim_view c where c.staker = ${address} and c.state in ('cancelled', 'lapsed')`,
  },
  {
    group: 'claims',
    isPayment: true,
    isOfPlan: true,
    items: ({ address }) => sql`
      select ${columns({
        ...{ at: sql`c.paid_at`, id: sql`c.id`, kind: text('fee_paid'), ...ofClaim },
        ...{ direction: text('out'), asset: text('USDT'), amount: sql`c.exact_amount` },
        tx_hash: sql`c.fee_tx`,
      })}
      from claim_view c where c.staker = ${address} and c.state = 'paid'`,
  },
  {
    group: 'claims',
    isPayment: true,
    isOfPlan: true,
    items: ({ address }) => sql`
      select ${columns({
        ...{ at: sql`p.final_at`, id: sql`p.id`, kind: text('reward_sent'), ...ofClaim, ...DCT_IN },
        ...{ amount: sql`p.amount`, tx_hash: sql`p.final_tx` },
      })}
      from claim_view c cross join unnest(array['now', 'later']) part
        join payout_view p on p.cause = 'claim:' || c.id || ':' || part
      where c.staker = ${address} and p.state = 'final'`,
  },
  {
    group: 'claims',
    isOfPlan: true,
    items: ({ address }) => sql`
      select ${columns({
        ...{ ...ofReceipt, at: sql`p.block_time`, kind: text('payment_unmatched') },
        tx_hash: sql`p.tx_hash`,
      })}
      from claim_view c join usdt_receipt_view p on p.nearest_claim_id = c.id
      where c.staker = ${address} and p.state in ('unmatched', 'refunded')`,
  },
  {
    group: 'claims',
    isOfPlan: true,
    items: ({ address }) => sql`
      select ${columns({ ...ofReceipt, at: sql`p.handled_at`, kind: text('payment_refunded') })}
      from claim_view c join usdt_receipt_view p on p.nearest_claim_id = c.id
      where c.staker = ${address} and p.state = 'refunded'`,
  },
]

/** An event in the life of a referral claim, identified by the column with its time. */
function referralClaim(kind: Sql, at: string, when: Sql): HistorySource {
  return {
    group: 'referrals',
    isOfPlan: false,
    items: ({ userId }) => sql`
      select ${columns({
        ...{ at: sql.ref(`r.${at}`), id: sql`r.id`, kind, asset: text('USDT') },
        ...{ amount: sql`r.amount`, bonus_type: BONUS },
        reason: at === 'ended_at' ? sql`r.end_reason` : sql`null`,
      })}
      from referral_claim_view r where r.user_id = ${userId} and ${when}`,
  }
}

const referrals: HistorySource[] = [
  {
    group: 'referrals',
    isOfPlan: false,
    items: ({ userId }) => sql`
      select ${columns({
        ...{ at: sql`r.created_at`, id: sql`r.id`, kind: text('referral_reward') },
        ...{ asset: text('USDT'), amount: sql`r.amount`, bonus_type: BONUS },
      })}
      from referral_reward_view r where r.receiver_id = ${userId}`,
  },
  referralClaim(text('referral_claim_made'), 'requested_at', sql`true`),
  referralClaim(text('referral_claim_approved'), 'approved_at', sql`r.approved_at is not null`),
  referralClaim(
    sql`'referral_claim_' || r.state`,
    'ended_at',
    sql`r.state in ('declined', 'returned')`,
  ),
  {
    group: 'referrals',
    isPayment: true,
    isOfPlan: false,
    items: ({ userId }) => sql`
      select ${columns({
        ...{ at: sql`r.paid_at`, id: sql`r.id`, kind: text('referral_claim_paid') },
        ...{ direction: text('in'), asset: text('USDT'), amount: sql`r.amount`, bonus_type: BONUS },
        tx_hash: sql`r.paid_tx`,
      })}
      from referral_claim_view r where r.user_id = ${userId} and r.state = 'paid'`,
  },
]

/** All sources. Of items with the same time, those of an earlier source happened before those of a later one. */
export const HISTORY_SOURCES: readonly HistorySource[] = [
  ...[account, capital, rewards, claims, referrals].flat(),
]
