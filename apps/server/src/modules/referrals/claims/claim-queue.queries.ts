import type { ReferralKind } from '@dct/rules/referral-shares'
import { sql } from 'kysely'
import type { DbOrTx, ReadDb } from '../../../platform/database/db.ts'

/** Positions beyond this one are not reported. */
const LONGEST_QUEUE = 1_000

/** The positions of claims in the queue for approval or for payment: 1 is next. Other claims are left out. */
export async function queuePlaces(
  db: ReadDb,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: bigint; place: bigint }>`
    with asked as (
      select id from referral_claim
      where id = any(${ids.map(String)}::bigint[]) and state in ('requested', 'approved'))
    select id, place from (
      select id, row_number() over (order by id) as place from referral_claim
      where state = 'requested' order by id limit ${LONGEST_QUEUE}) queue
      where id in (select id from asked)
    union all
    select id, place from (
      select id, row_number() over (order by payout_id) as place from referral_claim
      where state = 'approved' order by payout_id limit ${LONGEST_QUEUE}) queue
      where id in (select id from asked)`.execute(db)
  return new Map(rows.map(({ id, place }) => [id, Number(place)]))
}

/** The number of claims of each kind that await a first approval; at most as many as the longest queue are counted. */
export async function countUnapproved(db: DbOrTx): Promise<Record<ReferralKind, number>> {
  const { rows } = await sql<{ kind: ReferralKind; count: bigint }>`
    select kind, count(*) as count from (
      select kind from referral_claim
      where state = 'requested' and not needs_two limit ${LONGEST_QUEUE}) waiting
    group by kind`.execute(db)
  const of = (kind: ReferralKind) => Number(rows.find((row) => row.kind === kind)?.count ?? 0n)
  return { direct: of('direct'), indirect: of('indirect') }
}

/** Medians of how long recent claims took, in seconds. */
export type UsualWait = { approvalSeconds: number; paymentSeconds: number; claims: number }

/** The number of latest paid claims from which the medians are calculated. */
const NEWEST = 20

/** Undefined if no claim has been paid yet. */
export async function usualWait(db: ReadDb): Promise<UsualWait | undefined> {
  const { rows } = await sql<{ approval: number | null; payment: number | null; claims: bigint }>`
    with newest as (
      select requested_at, approved_at, paid_at from referral_claim
      where state = 'paid' order by paid_block desc limit ${NEWEST})
    select
      percentile_disc(0.5) within group (
        order by greatest(0, extract(epoch from approved_at - requested_at)))::integer as approval,
      percentile_disc(0.5) within group (
        order by greatest(0, extract(epoch from paid_at - approved_at)))::integer as payment,
      count(*) as claims
    from newest`.execute(db)
  const [row] = rows
  if (row === undefined || row.approval === null || row.payment === null) return undefined
  return {
    approvalSeconds: row.approval,
    paymentSeconds: row.payment,
    claims: Number(row.claims),
  }
}
