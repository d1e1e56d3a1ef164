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
  const { rows } = await sql<FlowRow>`
    with events as materialized (
      select e.chain, e.address, e.name, e.args, encode(e.tx_hash, 'hex') || ':' || e.log_index as ref,
        coalesce(e.args->>'reward', '0')::numeric(78,0) as reward,
        coalesce(e.args->>'amount', e.args->>'value', '0')::numeric(78,0) as amount,
        e.args->>'from' = any(${receivers}::text[]) as is_from,
        e.args->>'to' = any(${receivers}::text[]) as is_to,
        e.args->>'from' = ${vault} as is_from_vault, e.args->>'to' = ${vault} as is_to_vault
      from chain_event_view e where e.block_time >= ${span.from} and e.block_time < ${span.before}),
    flows as materialized (
      select row_number() over () as n, f.* from (
        select case e.name when 'PlanFunded' then 'plan_funded' when 'FreeWithdrawn' then 'plan_withdrawn'
            else 'lapsed_withdrawn' end as flow, 'DCT' as asset, e.amount as chain,
          '{plan.funded,plan.free-withdrawn,plan.lapsed-withdrawn}'::text[] as kinds, e.ref
        from events e where e.address = ${our.rewardPool}
          and e.name in ('PlanFunded', 'FreeWithdrawn', 'LapsedWithdrawn')
        union all
        select f.flow, 'DCT', f.amount, array[f.kind], e.args->>'stakeId'
        from events e join lateral (values
            ('Staked', 'capital_locked', 'stake_locked', e.amount),
            ('Staked', 'reward_promised', 'stake_promised', e.reward),
            ('Released', 'capital_released', 'stake_released', e.amount)) f (name, flow, kind, amount)
          on f.name = e.name
        where e.address = ${our.staking}
        union all
        select 'reward_paid', 'DCT', e.amount, '{payment.booked}', e.chain || ':0x' || e.ref
        from events e where e.address = ${our.rewardPool} and e.name = 'RewardPaid'
        union all
        select f.flow, 'USDT', e.amount, f.kinds, '0x' || e.ref
        from events e join lateral (values
            ('fee_receiver_in', '{fee.paid,fee.energy_paid,receipt.unmatched,receipt.internal,receipt.dust}'::text[],
              is_to and not is_from),
            ('fee_receiver_out', '{fee_receiver.withdrawn,payout_wallet.topped_up}', is_from and not is_to),
            ('payout_wallet_in', '{payout_wallet.topped_up}', is_to_vault and not is_from_vault),
            ('payout_wallet_out', '{receipt.internal}', is_from_vault and is_to)) f (flow, kinds, is_it) on f.is_it
        where e.address = ${our.usdt} and e.name = 'Transfer'
        union all
        select 'payout_wallet_out', 'USDT', e.amount, '{payout_wallet.withdrawn}', '0x' || e.ref
        from events e where e.address = ${our.vault} and e.name = 'Withdrawn' and not is_to
        union all
        select 'payout_wallet_out', 'USDT', e.amount, '{payment.booked}', e.chain || ':0x' || e.ref
        from events e where e.address = ${our.vault} and e.name = 'ReferralPaid') f),
    booked as materialized (
      select f.n, sum(t.amount) as amount
      from flows f join ledger_transfer_view t on t.ref = f.ref and t.kind = any(f.kinds)
      where f.flow <> 'fee_receiver_in'
        or t.debit_id in (select id from ledger_account_view where code = 'fee_receiver')
      group by f.n)
    select f.flow, f.asset, count(*) as count, sum(f.chain) as chain, coalesce(sum(b.amount), 0) as ledger
    from flows f left join booked b on b.n = f.n
    group by f.flow, f.asset order by f.asset, f.flow`.execute(db)
  return rows
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
