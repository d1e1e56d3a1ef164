import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/database/db.ts'
import {
  type AuditCheck,
  compareAll,
  differingOnly,
  type Figures,
  type HoldScope,
  MAX_LISTED,
} from '../audit-check.ts'

/** The number of newest payouts that a quick audit covers. */
const RECENT_PAYOUTS = 10_000

/** Payouts: owed, being sent and paid. */
export const payoutChecks: readonly AuditCheck[] = [
  { name: 'a payout’s account holds the amount not paid yet', run: payoutAccounts },
  { name: 'a paid payout has one payment on chain', run: onePaymentEach },
  { name: 'every payment on chain is explained', run: paymentsAreExplained },
]

const ofPayout = ({ subject }: Figures): HoldScope => ({
  kind: 'payout',
  payoutId: subject.replace('payout ', ''),
})

async function payoutAccounts(db: DbOrTx, { isFull }: { isFull: boolean }) {
  const which = isFull ? sql`true` : sql`p.state in ('queued', 'signed', 'held')`
  const owed = sql`case when p.state in ('final', 'void') then 0 else p.amount end`
  const held = sql`coalesce(a.credits - a.debits, 0)`
  const { rows } = await sql<Figures>`
    select 'payout ' || p.id as subject, ${owed} as expected, ${held} as found
    from payout_view p left join ledger_account_view a
      on a.code = 'payout:' || p.id and a.asset = p.asset and a.shard = 0
    where ${which} and ${held} <> ${owed}
    order by p.id limit ${MAX_LISTED}`.execute(db)
  return differingOnly(rows, await countPayouts(db, which), ofPayout)
}

/** A payment seen by its sender may be in a block that the watcher has not read yet. */
async function onePaymentEach(db: DbOrTx, { isFull }: { isFull: boolean }) {
  const recent = isFull
    ? sql`true`
    : sql`p.id > (select coalesce(max(id), 0) - ${RECENT_PAYOUTS} from payout_view)`
  const which = sql`p.state = 'final' and ${recent}
    and p.final_block <= coalesce((select block_number from chain_cursor_view c where c.chain = p.chain), 0)`
  const { rows } = await sql<Figures>`
    select 'payout ' || p.id as subject, p.amount as expected, coalesce(s.amount, 0) as found
    from payout_view p left join lateral (
      select sum(amount) as amount from chain_payment_view s where s.payout_id = p.id) s on true
    where ${which} and coalesce(s.amount, 0) <> p.amount
    order by p.id limit ${MAX_LISTED}`.execute(db)
  return differingOnly(rows, await countPayouts(db, which), ofPayout)
}

async function paymentsAreExplained(db: DbOrTx) {
  const { rows } = await sql<Figures & { chain: 'TRON' | 'BSC' }>`
    select chain as subject, chain, 0::numeric as expected, coalesce(sum(amount), 0) as found
    from chain_payment_view where payout_id is null and explanation is null
    group by chain order by chain`.execute(db)
  return compareAll(rows, ({ subject }) => ({
    kind: 'chain',
    chain: subject === 'BSC' ? 'BSC' : 'TRON',
  }))
}

async function countPayouts(db: DbOrTx, which: ReturnType<typeof sql>): Promise<bigint> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) from payout_view p where ${which}`.execute(db)
  return rows[0]?.count ?? 0n
}
