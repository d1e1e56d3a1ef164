import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/database/db.ts'
import {
  type AuditCheck,
  compareAll,
  differingOnly,
  type Figures,
  MAX_LISTED,
} from '../audit-check.ts'

/** Referral rewards: earned, claimed, and never more than the fee that they are paid from. */
export const referralChecks: readonly AuditCheck[] = [
  {
    name: 'a user’s referral rewards are claimed or unclaimed',
    isFullOnly: true,
    run: rewardsAreOwed,
  },
  { name: 'all referral rewards are claimed or unclaimed', run: allRewardsAreOwed },
  { name: 'referral claims hold the amounts that wait for approval', run: claimAccounts },
  { name: 'approved referral claims are committed', run: committedFunds },
  { name: 'turnover counts every stake exactly', run: countedStakes },
  { name: 'referral rewards stay below their fees', isFullOnly: true, run: rewardsBelowFees },
]

/** Claims that ended without payment released their amount. */
const TAKEN = sql`state in ('requested', 'approved', 'paid')`
const accountCode = sql`'referral_' || r.kind || ':' || r.user_id`

async function rewardsAreOwed(db: DbOrTx) {
  const { rows } = await sql<Figures & { compared: bigint }>`
    with owed as (
      select user_id, kind, sum(amount) as amount from (
        select receiver_id as user_id, kind, amount from referral_reward_view
        union all
        select user_id, kind, -amount from referral_claim_view where ${TAKEN}) moved
      group by user_id, kind)
    select ${accountCode} as subject, r.amount as expected, coalesce(a.credits - a.debits, 0) as found
    from owed r left join ledger_account_view a on a.code = ${accountCode} and a.asset = 'USDT' and a.shard = 0
    where r.amount <> coalesce(a.credits - a.debits, 0) order by 1 limit ${MAX_LISTED}`.execute(db)
  const counted = await sql<{ count: bigint }>`
    select count(distinct (receiver_id, kind)) from referral_reward_view`.execute(db)
  return differingOnly(rows, counted.rows[0]?.count ?? 0n)
}

async function allRewardsAreOwed(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    select kind as subject,
      (select coalesce(sum(amount), 0) from referral_reward_view r where r.kind = kinds.kind)
        - (select coalesce(sum(amount), 0) from referral_claim_view c where c.kind = kinds.kind and ${TAKEN})
        as expected,
      (select coalesce(sum(credits - debits), 0) from ledger_account_view
        where asset = 'USDT' and code like 'referral_' || kinds.kind || ':%') as found
    from (values ('direct'), ('indirect')) kinds (kind)`.execute(db)
  return compareAll(rows)
}

async function claimAccounts(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    select 'waiting for approval' as subject,
      (select coalesce(sum(amount), 0) from referral_claim_view where state = 'requested') as expected,
      (select coalesce(sum(credits - debits), 0) from ledger_account_view
        where asset = 'USDT' and code like 'referral_claim:%') as found`.execute(db)
  return compareAll(rows)
}

async function committedFunds(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    select 'approved and not paid' as subject,
      (select coalesce(sum(amount), 0) from referral_claim_view where state = 'approved') as expected,
      (select coalesce(sum(committed), 0) from referral_treasury_view) as found`.execute(db)
  return compareAll(rows, () => ({ kind: 'chain', chain: 'BSC' }))
}

/** Turnover is counted from separate records of stakes; each must match a stake, and each stake must be recorded. */
async function countedStakes(db: DbOrTx, { isFull }: { isFull: boolean }) {
  return isFull ? eachStake(db) : sumOfStakes(db)
}

async function eachStake(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    select 'stake ' || coalesce(e.stake_id, s.stake_id) as subject,
      coalesce(e.amount, 0) as expected,
      case when e.staker <> s.staker then -1 else coalesce(s.amount, 0) end as found
    from earning_view e full join referral_stake_view s on s.stake_id = e.stake_id
    where e.amount is distinct from s.amount or e.staker is distinct from s.staker
    order by coalesce(e.stake_id, s.stake_id) limit ${MAX_LISTED}`.execute(db)
  const counted = await sql<{ count: bigint }>`select count(*) from earning_view`.execute(db)
  return differingOnly(rows, counted.rows[0]?.count ?? 0n)
}

async function sumOfStakes(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    select 'all stakes' as subject, (select coalesce(sum(amount), 0) from earning_view) as expected,
      (select coalesce(sum(amount), 0) from referral_stake_view) as found`.execute(db)
  return compareAll(rows)
}

async function rewardsBelowFees(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    with paid as (select fee_id, sum(amount) as rewards from referral_reward_view group by fee_id)
    select 'fee ' || f.fee_id as subject, f.direct + f.indirect as expected,
      coalesce(paid.rewards, 0) as found
    from referral_fee_view f left join paid on paid.fee_id = f.fee_id
    where coalesce(paid.rewards, 0) <> f.direct + f.indirect or f.direct + f.indirect > f.fee_usdt
    order by f.fee_id limit ${MAX_LISTED}`.execute(db)
  const counted = await sql<{ count: bigint }>`select count(*) from referral_fee_view`.execute(db)
  return differingOnly(rows, counted.rows[0]?.count ?? 0n)
}
