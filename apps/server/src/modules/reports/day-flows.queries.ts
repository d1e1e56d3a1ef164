import { sql } from 'kysely'
import type { DbOrTx } from '../../platform/database/db.ts'

export type OurAddresses = {
  staking: Buffer
  rewardPool: Buffer
  usdt: Buffer
  vault: Buffer
  feeReceivers: readonly Buffer[]
}
export type Span = { from: Date; before: Date }
/** Base units. */
export type FlowRow = {
  flow: string
  asset: 'DCT' | 'USDT'
  count: bigint
  chain: bigint
  ledger: bigint
}

/**
 * Movements on the chains within a span, and the bookings of the same transactions, whenever those were made: a payment
 * just before midnight may be booked just after it.
 */
export async function dayFlows(db: DbOrTx, our: OurAddresses, span: Span): Promise<FlowRow[]> {
  const receivers = our.feeReceivers.map(evmText)
  const vault = evmText(our.vault)
  const amount = sql`(e.args->>'amount')::numeric(78,0)`
  const value = sql`(e.args->>'value')::numeric(78,0)`
  const isTo = sql`(e.args->>'to') = any(${receivers}::text[])`
  const isFrom = sql`(e.args->>'from') = any(${receivers}::text[])`
  const isToWallet = sql`e.args->>'to' = ${vault}`
  const isFromWallet = sql`e.args->>'from' = ${vault}`
  const { rows } = await sql<FlowRow>`
    with events as (
      select e.*, encode(e.tx_hash, 'hex') || ':' || e.log_index as ref from chain_event_view e
      where e.block_time >= ${span.from} and e.block_time < ${span.before}),
    flows as (
      select case e.name when 'PlanFunded' then 'plan_funded' when 'FreeWithdrawn' then 'plan_withdrawn'
          else 'lapsed_withdrawn' end as flow, 'DCT' as asset, ${amount} as chain,
        (select sum(t.amount) from ledger_transfer_view t where t.ref = e.ref
          and t.kind in ('plan.funded', 'plan.free-withdrawn', 'plan.lapsed-withdrawn')) as ledger
      from events e where e.address = ${our.rewardPool}
        and e.name in ('PlanFunded', 'FreeWithdrawn', 'LapsedWithdrawn')
      union all
      select 'capital_locked', 'DCT', ${amount},
        (select t.amount from ledger_transfer_view t where t.kind = 'stake_locked' and t.ref = e.args->>'stakeId')
      from events e where e.address = ${our.staking} and e.name = 'Staked'
      union all
      select 'reward_promised', 'DCT', (e.args->>'reward')::numeric(78,0),
        (select t.amount from ledger_transfer_view t where t.kind = 'stake_promised' and t.ref = e.args->>'stakeId')
      from events e where e.address = ${our.staking} and e.name = 'Staked'
      union all
      select 'capital_released', 'DCT', ${amount},
        (select t.amount from ledger_transfer_view t where t.kind = 'stake_released' and t.ref = e.args->>'stakeId')
      from events e where e.address = ${our.staking} and e.name = 'Released'
      union all
      select 'reward_paid', 'DCT', ${amount}, ${paidBy()}
      from events e where e.address = ${our.rewardPool} and e.name = 'RewardPaid'
      union all
      select 'fee_receiver_in', 'USDT', ${value},
        (select sum(t.amount) from ledger_transfer_view t join ledger_account_view d on d.id = t.debit_id
          where t.ref = '0x' || e.ref and d.code = 'fee_receiver'
            and t.kind in ('fee.paid', 'fee.energy_paid', 'receipt.unmatched', 'receipt.internal',
              'receipt.dust'))
      from events e where e.address = ${our.usdt} and e.name = 'Transfer' and ${isTo} and not ${isFrom}
      union all
      select 'fee_receiver_out', 'USDT', ${value},
        (select sum(t.amount) from ledger_transfer_view t where t.ref = '0x' || e.ref
          and t.kind in ('fee_receiver.withdrawn', 'payout_wallet.topped_up'))
      from events e where e.address = ${our.usdt} and e.name = 'Transfer' and ${isFrom} and not ${isTo}
      union all
      select 'payout_wallet_in', 'USDT', ${value},
        (select t.amount from ledger_transfer_view t where t.ref = '0x' || e.ref
          and t.kind = 'payout_wallet.topped_up')
      from events e where e.address = ${our.usdt} and e.name = 'Transfer'
        and ${isToWallet} and not ${isFromWallet}
      union all
      select 'payout_wallet_out', 'USDT', ${value},
        (select t.amount from ledger_transfer_view t where t.ref = '0x' || e.ref
          and t.kind = 'receipt.internal')
      from events e where e.address = ${our.usdt} and e.name = 'Transfer' and ${isFromWallet} and ${isTo}
      union all
      select 'payout_wallet_out', 'USDT', ${amount},
        (select t.amount from ledger_transfer_view t where t.ref = '0x' || e.ref
          and t.kind = 'payout_wallet.withdrawn')
      from events e where e.address = ${our.vault} and e.name = 'Withdrawn' and not ${isTo}
      union all
      select 'payout_wallet_out', 'USDT', ${amount}, ${paidBy()}
      from events e where e.address = ${our.vault} and e.name = 'ReferralPaid')
    select flow, asset, count(*) as count, sum(chain) as chain, coalesce(sum(ledger), 0) as ledger
    from flows group by flow, asset order by asset, flow`.execute(db)
  return rows
}

/** The amount that was booked by the event of a payment. */
function paidBy() {
  return sql`(select t.amount from ledger_transfer_view t where t.kind = 'payment.booked'
    and t.ref = e.chain || ':0x' || e.ref)`
}

function evmText(address: Buffer): string {
  return `0x${address.toString('hex')}`
}

export type FigureRow = { figure: string; asset: 'DCT' | 'USDT'; count: bigint; amount: bigint }

/** The figures of a business day that are derived from the books alone. */
export async function dayFigures(db: DbOrTx, day: string, span: Span): Promise<FigureRow[]> {
  const within = (column: string) =>
    sql`${sql.ref(column)} >= ${span.from} and ${sql.ref(column)} < ${span.before}`
  const { rows } = await sql<FigureRow>`
    select 'rewards_credited' as figure, 'DCT' as asset, coalesce(sum(row_count - lapsed_count), 0) as count,
        coalesce(sum(credited), 0) as amount
      from distribution_day_view where day = ${day}::date
    union all
    select 'rewards_lapsed', 'DCT', coalesce(sum(lapsed_count), 0), coalesce(sum(lapsed), 0) from distribution_day_view
      where day = ${day}::date
    union all
    select 'claims_made', 'DCT', count(*), coalesce(sum(amount), 0) from claim_view
      where ${within('requested_at')}
    union all
    select 'fees_paid', 'USDT', count(*), coalesce(sum(exact_amount), 0) from claim_view
      where state = 'paid' and ${within('paid_at')}
    union all
    select 'referral_rewards', 'USDT', count(*), coalesce(sum(f.direct + f.indirect), 0)
      from claim_view c join referral_fee_view f on f.fee_id = c.id and f.direct + f.indirect > 0
      where c.state = 'paid' and ${within('c.paid_at')}
    union all
    select 'referral_claims_approved', 'USDT', count(*), coalesce(sum(amount), 0) from referral_claim_view
      where ${within('approved_at')}`.execute(db)
  return rows
}
