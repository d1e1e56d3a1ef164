import { sql } from 'kysely'
import type { ReadDb } from '../../../platform/database/db.ts'

/** The direct referrals of all these users, up to the limit. */
export async function directsOfAll(
  db: ReadDb,
  query: { of: readonly bigint[]; limit: number },
): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    select n.id from unnest(${query.of.map(String)}::bigint[]) above (id)
      cross join lateral (
        select c.user_id as id from referral_node c
        where c.referrer_id = above.id and not c.is_removed limit ${query.limit}) n
    limit ${query.limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** The first direct referrals of each of these users in turn, so that a large group does not crowd out the others. */
export async function firstDirects(
  db: ReadDb,
  query: { of: readonly bigint[]; limit: number },
): Promise<{ id: bigint; referrerId: bigint }[]> {
  const { of, limit } = query
  const { rows } = await sql<{ id: bigint; referrerId: bigint }>`
    select id, "referrerId" from (
      select n.id, above.id as "referrerId", n.place
      from unnest(${of.map(String)}::bigint[]) above (id)
        cross join lateral (
          select c.user_id as id, row_number() over (order by c.user_id) as place
          from referral_node c where c.referrer_id = above.id and not c.is_removed
          order by c.user_id limit ${limit}) n
      order by n.place, n.id limit ${limit}) first
    order by "referrerId", id`.execute(db)
  return rows
}
