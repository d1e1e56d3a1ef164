import { sql } from 'kysely'
import type { DbOrTx } from '../../platform/db.ts'
import './referrals.tables.ts'

/** Ids are read as numbers of 4 bytes: two thousand million users, and an error for the next one. */
const BYTES = 4
const PORTION = 65_536

export type Places = {
  /** Pairs of numbers: a user, and its referrer or 0. */
  numbers: Int32Array
  /** The oldest transaction that was writing when this was read, and the next one that would. */
  oldestWriter: bigint
  nextWriter: bigint
}

/** The places of all users above an id, and of those of some others who are there by now; in portions. */
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

/** Users who were removed; nobody stands below them any more. */
export async function removedIds(db: DbOrTx): Promise<Int32Array> {
  const { rows } = await sql<{ packed: Buffer | null }>`
    select ${packed(sql`user_id`)} as packed from referral_node where is_removed`.execute(db)
  return unpack(rows[0]?.packed ?? null)
}

/** Many ids in one value: as rows they would cost ten times as much. */
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
