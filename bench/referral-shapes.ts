import { sql } from 'kysely'
import type { Db } from '../apps/server/src/platform/db.ts'

/** A line of users, each referred by the previous one, like an attacker would create. */
export const LINE = 10_000
/** Its users have the ids 1 to `LINE`; the next one has a third of all others as direct referrals. */
export const WIDE = LINE + 1
const AT_ONCE = 5_000

export type Shapes = {
  /** The first user of the random tree. */
  random: number
  /** The highest id. */
  last: number
}

/** Fills an empty database with a line, a wide tree and a random one, of that many users in all. */
export async function plant(db: Db, users: number): Promise<Shapes> {
  const nobody = sql`null`
  await add(db, { from: 1, through: 1, referrer: nobody })
  // A line grows one by one: each needs the one before.
  for (let id = 2; id <= LINE; id += 1) {
    await add(db, { from: id, through: id, referrer: sql`${id - 1}::bigint` })
  }
  await add(db, { from: WIDE, through: WIDE, referrer: nobody })
  const shapes = shapesOf(users)
  await inPortions(WIDE + 1, shapes.random - 1, (from, through) =>
    add(db, { from, through, referrer: sql`${WIDE}::bigint` }),
  )
  await add(db, { from: shapes.random, through: shapes.random, referrer: nobody })
  await inPortions(shapes.random + 1, shapes.last, (from, through) => {
    const anybody = sql`${shapes.random} + floor(random() * ${from - shapes.random})`
    return add(db, { from, through, referrer: anybody })
  })
  await sql`
    insert into referral_stake (stake_id, staker, amount)
    select id, address, 10000000 + id % 40000001 from app_user where id % 3 = 0`.execute(db)
  await sql`select setval(pg_get_serial_sequence('app_user', 'id'), ${shapes.last}::bigint)`.execute(
    db,
  )
  return shapes
}

/** Where the shapes lie among so many users. */
export function shapesOf(users: number): Shapes {
  const last = Math.max(users, LINE + 10)
  return { random: WIDE + 1 + Math.floor((last - WIDE) / 3), last }
}

async function inPortions(
  first: number,
  last: number,
  work: (from: number, through: number) => Promise<unknown>,
): Promise<void> {
  for (let from = first; from <= last; from += AT_ONCE) {
    await work(from, Math.min(last, from + AT_ONCE - 1))
  }
}

type Portion = { from: number; through: number; referrer: ReturnType<typeof sql> }

function add(db: Db, { from, through, referrer }: Portion) {
  return sql`
    insert into app_user (id, address, referral_code, referrer_id, depth, created_at)
      overriding system value
    select i, substr(sha256(i::text::bytea), 1, 20), ${spelled(sql`i`)}, s.r,
      coalesce((select depth + 1 from app_user where id = s.r), 0),
      timestamptz '2026-01-01' + i * interval '1 second'
    from (
      select i::bigint, (${referrer})::bigint as r
      from generate_series(${from}::bigint, ${through}) i) s
    order by i`.execute(db)
}

/** A number in the alphabet of referral codes. */
function spelled(number: ReturnType<typeof sql>) {
  return sql`(select string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789',
    (${number} / (32 ^ k)::bigint % 32)::integer + 1, 1), '') from generate_series(0, 7) k)`
}
