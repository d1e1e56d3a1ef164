import { sql } from 'kysely'
import type { Db } from '../apps/server/src/platform/database/db.ts'

/** The length of a chain in which each user was referred by the previous one, as an attacker might build it. */
export const LINE = 10_000
/** The chain's users have the ids 1 to `LINE`; the next user directly referred a third of all others. */
export const WIDE = LINE + 1
const AT_ONCE = 5_000

type Shapes = {
  /** The id of the first user in the random tree. */
  random: number
  /** The highest user id. */
  last: number
}

/** Fills an empty database with a chain, a wide tree and a random tree, `users` users in total. */
export async function plant(db: Db, users: number): Promise<Shapes> {
  const nobody = sql`null`
  await add(db, { from: 1, through: 1, referrer: nobody })
  // A chain must be inserted one by one, because each user needs the previous one.
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

/** The id ranges of the shapes for this number of users. */
function shapesOf(users: number): Shapes {
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
    select i, substr(sha256(i::text::bytea), 1, 20), ${asReferralCode(sql`i`)}, s.r,
      coalesce((select depth + 1 from app_user where id = s.r), 0),
      timestamptz '2026-01-01' + i * interval '1 second'
    from (
      select i::bigint, (${referrer})::bigint as r
      from generate_series(${from}::bigint, ${through}) i) s
    order by i`.execute(db)
}

/** SQL that formats a number as a referral code. */
function asReferralCode(number: ReturnType<typeof sql>) {
  return sql`(select string_agg(substr('ABCDEFGHJKLMNPQRSTUVWXYZ23456789',
    (${number} / (32 ^ k)::bigint % 32)::integer + 1, 1), '') from generate_series(0, 7) k)`
}
