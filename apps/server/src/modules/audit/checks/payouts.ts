import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/database/db.ts'
import {
  type AuditCheck,
  differingOnly,
  type Figures,
  type HoldScope,
  MAX_LISTED,
} from '../audit-check.ts'

/** Payouts: owed, being sent and paid. */
export const payoutChecks: readonly AuditCheck[] = [
  { name: 'a payout’s account holds the amount not paid yet', run: payoutAccounts },
  { name: 'accounts equal the payments on chain', run: accountsEqualPayments },
]

const ofPayout = ({ subject }: Figures): HoldScope => ({
  kind: 'payout',
  payoutId: subject.replace('payout ', ''),
})

async function payoutAccounts(db: DbOrTx, { isFull }: { isFull: boolean }) {
  const which = isFull ? sql`true` : sql`p.state in ('waiting', 'sent')`
  const owed = sql`case when p.state in ('final', 'returned') then 0 else p.amount end`
  const held = sql`coalesce(a.credits - a.debits, 0)`
  const { rows } = await sql<Figures>`
    select 'payout ' || p.id as subject, ${owed} as expected, ${held} as found
    from payout_view p left join ledger_account_view a
      on a.code = 'payout:' || p.id and a.asset = p.asset and a.shard = 0
    where ${which} and ${held} <> ${owed}
    order by p.id limit ${MAX_LISTED}`.execute(db)
  return differingOnly(rows, await countPayouts(db, which), ofPayout)
}

/**
 * What the chain states that it paid to each account, and what became of it: final payouts, and an advance. Every
 * difference is about one account, and only its payouts wait.
 */
async function accountsEqualPayments(db: DbOrTx, { isFull }: { isFull: boolean }) {
  const which = isFull ? sql`true` : sql`(a.open > 0 or a.paid > a.settled)`
  const { rows } = await sql<Figures & { plan: string }>`
    with accounts as materialized (select * from payout_account_view a where ${which}),
    payments as materialized (
      select account_id, max(total) as total from chain_payment_view
      where account_id in (select id from accounts) group by account_id),
    figures as (
      select a.id, a.name as plan, a.chain, side.name as side, side.expected, side.found
      from accounts a left join payments c on c.account_id = a.id
        left join lateral (
          select coalesce(sum(amount) filter (where state = 'final'), 0) as final,
            coalesce(sum(amount) filter (where state in ('waiting', 'sent')), 0) as open
          from payout_view p where p.account_id = a.id) p on true
        left join ledger_account_view l on l.code = 'advance:' || a.id and l.shard = 0
          and l.asset = case a.chain when 'TRON' then 'DCT' else 'USDT' end
        cross join lateral (values
          ('paid', coalesce(c.total, 0), a.paid),
          ('final', p.final, a.settled),
          ('open', p.open, a.open),
          ('in advance', a.paid - a.settled, coalesce(l.debits - l.credits, 0))) side (name, expected, found))
    select 'account ' || id || ' ' || side as subject, expected, found, plan from figures
    where expected <> found order by id limit ${MAX_LISTED}`.execute(db)
  const { rows: counts } = await sql<{ count: bigint }>`
    select count(*) as count from payout_account_view a where ${which}`.execute(db)
  return differingOnly(rows, counts[0]?.count ?? 0n, ({ subject }) => ({
    kind: 'account',
    accountId: subject.split(' ')[1] ?? '',
  }))
}

async function countPayouts(db: DbOrTx, which: ReturnType<typeof sql>): Promise<bigint> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) from payout_view p where ${which}`.execute(db)
  return rows[0]?.count ?? 0n
}
