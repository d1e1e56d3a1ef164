import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/database/db.ts'

/** Ids are read as 4-byte numbers: enough for two billion users; beyond that the query fails. */
const BYTES = 4
const PORTION = 65_536

export type Places = {
  /** Pairs of numbers: a user and its referrer, or 0 without one. */
  numbers: Int32Array
  /** The oldest transaction still running at the time of this snapshot, and the next one to be assigned. */
  oldestWriter: bigint
  nextWriter: bigint
}

/** The positions of all users above an id, and of those of `others` that exist by now, in batches. */
export async function placesOf(
  db: DbOrTx,
  wanted: { above: number; others: readonly number[] },
): Promise<Places[]> {
  const packedPlaces = sql`
    string_agg(int8send(n.user_id << 32 | coalesce(n.referrer_id, 0)), ''::bytea) as packed`
  const { rows } = await sql<Omit<Places, 'numbers'> & { packed: Buffer | null }>`
    select pg_snapshot_xmin(now)::text::bigint as "oldestWriter",
      pg_snapshot_xmax(now)::text::bigint as "nextWriter", packed
    from pg_current_snapshot() now, (
      select packed
      from generate_series(${wanted.above}::bigint, (select max(user_id) from referral_node), ${PORTION}) start
        cross join lateral (
          select ${packedPlaces} from referral_node n
          where n.user_id > start and n.user_id <= start + ${PORTION}) portion
      union all
      select ${packedPlaces} from referral_node n
        where n.user_id = any(${wanted.others}::bigint[])) places`.execute(db)
  return rows.map(({ packed, ...snapshot }) => ({ ...snapshot, numbers: unpack(packed) }))
}

/** Removed users, none of whom has a downline. */
export async function removedIds(db: DbOrTx): Promise<Int32Array> {
  const { rows } = await sql<{ packed: Buffer | null }>`
    select ${packed(sql`user_id`)} as packed from referral_node where is_removed`.execute(db)
  return unpack(rows[0]?.packed ?? null)
}

/** Packs many ids into one value; as rows they would cost ten times as much. */
export function packed(id: ReturnType<typeof sql>) {
  return sql<Buffer | null>`string_agg(int4send(${id}::integer), ''::bytea)`
}

export function unpack(packed: Buffer | null): Int32Array {
  const numbers = new Int32Array((packed?.length ?? 0) / BYTES)
  for (let at = 0; at < numbers.length; at += 1) {
    numbers[at] = packed?.readInt32BE(at * BYTES) ?? 0
  }
  return numbers
}
