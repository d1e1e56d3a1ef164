import type { Bps } from '@dct/money'
import { REFERRAL_PERCENTAGE_MAX_BPS } from '@dct/rules/constants'
import { sql } from 'kysely'
import type { DbOrTx } from '../../platform/database/db.ts'

/** A user's position in the tree. */
export type Place = { userId: bigint; depth: number }

/** The position of a user; undefined if the user is not in the tree. */
export async function placeOf(
  db: DbOrTx,
  userId: bigint,
): Promise<(Place & { rateBps: Bps }) | undefined> {
  const { rows } = await sql<{ depth: number; rate_bps: number }>`
    select depth, rate_bps from referral_node_view where user_id = ${userId} and not is_removed`.execute(
    db,
  )
  const [row] = rows
  return row && { userId, depth: row.depth, rateBps: BigInt(row.rate_bps) }
}

/** The highest percentage of all users above a user. */
export async function highestAbove(db: DbOrTx, userId: bigint): Promise<Bps> {
  const { rows } = await sql<{ highest: number }>`
    select coalesce(max(rate_bps), 0) as highest
    from referral_line(${userId}, ${REFERRAL_PERCENTAGE_MAX_BPS})`.execute(db)
  return BigInt(rows[0]?.highest ?? 0)
}

/** The fees paid by one user below, and the highest percentage between that payer and the user above. */
export type PaidBelow = { fees: bigint; highestBelow: Bps }

/**
 * The fees of a user's downline paid since an instant, one row per payer, the highest first. The percentages between
 * payer and user do not depend on the user's own.
 */
export async function feesBelow(
  db: DbOrTx,
  { userId, depth }: Place,
  look: { since: Date; most: number },
): Promise<PaidBelow[]> {
  const { rows } = await sql<{ fees: bigint; highest: number }>`
    select p.fees, coalesce((
        select max(l.rate_bps) from referral_line(p.payer_id, ${REFERRAL_PERCENTAGE_MAX_BPS}) l
        where l.level < p.depth - ${depth}), 0)
      as highest
    from (
      select f.payer_id, n.depth, sum(f.fee_usdt) as fees
      from claim_view c join referral_fee_view f on f.fee_id = c.id
        join referral_node_view n on n.user_id = f.payer_id
      where c.state = 'paid' and c.paid_at >= ${look.since} and n.depth > ${depth}
        and referral_is_under(f.payer_id, ${userId}, ${depth})
      group by f.payer_id, n.depth order by fees desc, f.payer_id limit ${look.most}) p`.execute(db)
  return rows.map(({ fees, highest }) => ({ fees, highestBelow: BigInt(highest) }))
}

/** The users below with at least a given percentage: their number, and the highest few. */
export async function ratedBelow(
  db: DbOrTx,
  { userId, depth }: Place,
  look: { atLeast: Bps; most: number },
): Promise<{ count: number; examples: { address: Buffer; rateBps: Bps }[] }> {
  const { rows } = await sql<{ address: Buffer; rate_bps: number; count: bigint }>`
    select u.address, n.rate_bps, count(*) over () as count
    from referral_node_view n join app_user_view u on u.id = n.user_id
    where n.rate_bps > 0 and n.rate_bps >= ${Number(look.atLeast)} and not n.is_removed
      and referral_is_under(n.user_id, ${userId}, ${depth})
    order by n.rate_bps desc, n.user_id limit ${look.most}`.execute(db)
  return {
    count: Number(rows[0]?.count ?? 0n),
    examples: rows.map((row) => ({ address: row.address, rateBps: BigInt(row.rate_bps) })),
  }
}
