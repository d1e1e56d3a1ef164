import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/database/db.ts'
import { type AuditCheck, compareAll, type Figures, type HoldScope } from '../audit-check.ts'

/** The funds of each plan, and whom they belong to. */
export const planChecks: readonly AuditCheck[] = [
  { name: 'a plan’s funds are owed or free', run: fundsAreExplained },
  { name: 'promises equal stakes', run: promisesEqualStakes },
  { name: 'credits and lapses equal the days’ records', run: creditsEqualDays },
  { name: 'capital equals the locked stakes', run: capitalEqualsStakes },
]

const ofPlan = ({ subject }: Figures): HoldScope => ({ kind: 'plan', planCode: subject })

/** The balances of the plans' own accounts, as columns of one row per plan. */
const PLAN_BALANCES = sql`
  select split_part(code, ':', 2) as plan,
    sum(debits - credits) filter (where code like 'chain_pool:%') as pool,
    sum(credits - debits) filter (where code like 'free:%') as free,
    sum(credits - debits) filter (where code like 'promised:%') as promised,
    sum(debits) filter (where code like 'promised:%') as promised_out,
    sum(credits) filter (where code like 'promised:%') as promised_in,
    sum(credits - debits) filter (where code like 'credited:%') as credited,
    sum(credits - debits) filter (where code like 'lapsed:%') as lapsed,
    sum(credits - debits) filter (where code like 'principal:%') as principal,
    sum(debits - credits) filter (where code like 'chain_staking:%') as staking
  from ledger_account_view
  where asset = 'DCT' and split_part(code, ':', 1)
    in ('chain_pool', 'free', 'promised', 'credited', 'lapsed', 'principal', 'chain_staking')
  group by 1`

/**
 * promised + credited + claimed + being sent + lapsed + free = what the contract holds for the plan and has paid in
 * advance.
 */
async function fundsAreExplained(db: DbOrTx, { isFull }: { isFull: boolean }) {
  const some = (open: ReturnType<typeof sql>) => (isFull ? sql`true` : open)
  const { rows } = await sql<Figures>`
    with own as (${PLAN_BALANCES}),
    claims as (
      select c.plan_code as plan, sum(a.credits - a.debits) as owed
      from claim_view c join ledger_account_view a on a.code = 'claim:' || c.id and a.asset = 'DCT' and a.shard = 0
      where ${some(sql`c.state = 'awaiting_fee'`)} group by 1),
    payouts as (
      select p.plan_code as plan, sum(a.credits - a.debits) as owed
      from payout_view p join ledger_account_view a on a.code = 'payout:' || p.id and a.asset = 'DCT' and a.shard = 0
      where p.asset = 'DCT' and ${some(sql`p.state in ('waiting', 'sent')`)} group by 1),
    advances as (
      select p.name as plan, sum(a.debits - a.credits) as paid
      from payout_account_view p join ledger_account_view a on a.code = 'advance:' || p.id and a.asset = 'DCT' and a.shard = 0
      where p.chain = 'TRON' and ${some(sql`p.paid > p.settled`)} group by 1)
    select own.plan as subject, coalesce(pool, 0) as expected,
      coalesce(free, 0) + coalesce(promised, 0) + coalesce(credited, 0) + coalesce(lapsed, 0)
        + coalesce(claims.owed, 0) + coalesce(payouts.owed, 0) - coalesce(advances.paid, 0) as found
    from own left join claims using (plan) left join payouts using (plan)
      left join advances using (plan) order by 1`.execute(db)
  return compareAll(rows, ofPlan)
}

async function promisesEqualStakes(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    with own as (${PLAN_BALANCES}),
    stakes as (select plan_code as plan, sum(reward) as reward from earning_view group by 1)
    select coalesce(own.plan, stakes.plan) as subject, coalesce(stakes.reward, 0) as expected,
      coalesce(own.promised_in, 0) as found
    from own full join stakes on stakes.plan = own.plan order by 1`.execute(db)
  return compareAll(rows, ofPlan)
}

async function creditsEqualDays(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    with own as (${PLAN_BALANCES}),
    days as (
      select p.code as plan, sum(d.credited + d.lapsed) as run
      from distribution_day_view d join earning_plan_view p on p.id = d.plan_id group by 1)
    select coalesce(own.plan, days.plan) as subject, coalesce(days.run, 0) as expected,
      coalesce(own.promised_out, 0) as found
    from own full join days on days.plan = own.plan order by 1`.execute(db)
  return compareAll(rows, ofPlan)
}

async function capitalEqualsStakes(db: DbOrTx) {
  const { rows } = await sql<Figures>`
    with own as (${PLAN_BALANCES}),
    stakes as (
      select plan_code as plan, sum(amount) as amount from earning_view where released_at is null group by 1)
    select coalesce(own.plan, stakes.plan) || ' ' || side.name as subject,
      coalesce(stakes.amount, 0) as expected, coalesce(side.balance, 0) as found
    from own full join stakes on stakes.plan = own.plan
      cross join lateral (values ('owed', own.principal), ('in the contract', own.staking)) side (name, balance)
    order by 1`.execute(db)
  return compareAll(rows)
}
