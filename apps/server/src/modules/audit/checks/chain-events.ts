import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/database/db.ts'
import { type AuditCheck, compareAll, type Figures, type HoldScope } from '../audit-check.ts'
import { poolFlows } from './pool-flows.ts'

export type ChainAddresses = { staking: Buffer; rewardPool: Buffer }

/** Compares the ledger with the chain events up to the watcher's cursor. */
export function eventChecks(our: ChainAddresses): readonly AuditCheck[] {
  return [
    {
      name: 'reward funds equal the contract’s events',
      run: (db) => poolEvents(db, our.rewardPool),
    },
    { name: 'capital equals the contract’s events', run: (db) => stakingEvents(db, our.staking) },
  ]
}

const AMOUNT = sql`(args->>'amount')::numeric(78,0)`

/**
 * Inflows (funded) and outflows (paid, withdrawn) per plan. A payout that its sender saw in a final block is booked
 * before the watcher reads that block.
 */
async function poolEvents(db: DbOrTx, rewardPool: Buffer) {
  const { rows } = await sql<Figures>`
    with events as materialized (
      select args->>'planCode' as plan,
        coalesce(sum(${AMOUNT}) filter (where name = 'PlanFunded'), 0) as came,
        coalesce(sum(${AMOUNT}) filter (
          where name in ('RewardPaid', 'FreeWithdrawn', 'LapsedWithdrawn')), 0) as went
      from chain_event_view where chain = 'TRON' and address = ${rewardPool} and undone_at is null
        and args ? 'amount' group by 1),
    early as materialized (
      select plan_code as plan, sum(amount) as amount from payout_view
      where chain = 'TRON' and state = 'final' and final_block > (
        select block_number from chain_cursor_view where chain = 'TRON') group by 1),
    own as materialized (${poolFlows})
    select coalesce(events.plan, own.plan) || ' ' || side.name as subject,
      side.expected, side.found
    from events full join own on own.plan = events.plan
      left join early on early.plan = coalesce(events.plan, own.plan)
      cross join lateral (values
        ('in', coalesce(events.came, 0), coalesce(own.came, 0)),
        ('out', coalesce(events.went, 0) + coalesce(early.amount, 0), coalesce(own.went, 0)))
        side (name, expected, found)
    order by 1`.execute(db)
  return compareAll(rows, ofPlan)
}

function ofPlan({ subject }: Figures): HoldScope {
  return { kind: 'plan', planCode: subject.replace(/ (in|out)$/, '') }
}

async function stakingEvents(db: DbOrTx, staking: Buffer) {
  const { rows } = await sql<Figures>`
    with events as materialized (
      select coalesce(sum(${AMOUNT}) filter (where name = 'Staked'), 0) as came,
        coalesce(sum(${AMOUNT}) filter (where name = 'Released'), 0) as went
      from chain_event_view where chain = 'TRON' and address = ${staking} and undone_at is null
        and args ? 'amount'),
    own as (
      select coalesce(sum(debits), 0) as debits, coalesce(sum(credits), 0) as credits
      from ledger_account_view where asset = 'DCT' and code like 'chain_staking:%')
    select side.name as subject, side.expected, side.found from events cross join own
      cross join lateral (values ('locked', came, debits), ('released', went, credits))
        side (name, expected, found)`.execute(db)
  return compareAll(rows)
}
