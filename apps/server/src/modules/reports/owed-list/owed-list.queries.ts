import { NOTHING as NO_NODE, type SumNode } from '@dct/rules/sum-tree'
import { sql } from 'kysely'
import type { BusinessDay } from '../../../platform/clock.ts'
import { ADVISORY_LOCKS } from '../../../platform/database/advisory-locks.ts'
import type { DbOrTx, Tx } from '../../../platform/database/db.ts'
import { own } from '../reports.tables.ts'

export type OwedDay = { day: string; at: Date; root: Buffer; sum: bigint; holders: number }

const NOTHING = Buffer.from(NO_NODE.hash)

export async function latestOwedDays(db: DbOrTx, limit: number): Promise<OwedDay[]> {
  return own(db)
    .selectFrom('owed_day')
    .select([sql<string>`day::text`.as('day'), 'at', 'root', 'sum', 'holders'])
    .orderBy(sql`day`, 'desc')
    .limit(limit)
    .execute()
}

/** The list of a day; undefined if none was made. */
export async function findOwedDay(db: DbOrTx, day: BusinessDay): Promise<OwedDay | undefined> {
  return own(db)
    .selectFrom('owed_day')
    .select([sql<string>`day::text`.as('day'), 'at', 'root', 'sum', 'holders'])
    .where('day', '=', day)
    .executeTakeFirst()
}

export async function insertOwedDay(tx: Tx, day: OwedDay): Promise<void> {
  await own(tx).insertInto('owed_day').values(day).execute()
}

/**
 * Locks what is listed, so that of two workers one makes a day's list.
 * @returns false if the day has its list
 */
export async function lockOwedDay(tx: Tx, day: BusinessDay): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.owedList})`.execute(tx)
  return (await findOwedDay(tx, day)) === undefined
}

/**
 * Stores the tree of all that referrers are owed at this moment, as `@dct/rules/sum-tree` defines it. It is made in the
 * database: a million leaves are a matter of seconds there, and nothing else of the worker waits for them.
 * @param secret 32 random bytes that are forgotten: the salts follow from them
 */
export async function insertTree(
  tx: Tx,
  { day, secret }: { day: BusinessDay; secret: Buffer },
): Promise<{ root: Buffer; sum: bigint; holders: number }> {
  // Reading and writing them all takes longer than the timeout for pages.
  await sql`set local statement_timeout = 0`.execute(tx)
  const holders = await insertLeaves(tx, { day, secret })
  let level = 0
  for (let nodes = holders; nodes > 1; nodes = Math.ceil(nodes / 2), level += 1) {
    await insertParents(tx, { day, level })
  }
  const root = await own(tx)
    .selectFrom('owed_node')
    .select(['hash', 'sum'])
    .where('day', '=', day)
    .where('level', '=', level)
    .executeTakeFirst()
  return { root: root?.hash ?? NOTHING, sum: root?.sum ?? 0n, holders }
}

/**
 * Leaves are ordered by their hashes, so that a place says nothing about its holder.
 * @returns how many there are
 */
async function insertLeaves(
  tx: Tx,
  { day, secret }: { day: BusinessDay; secret: Buffer },
): Promise<number> {
  const { rows } = await sql<{ leaves: number }>`
    with salted as materialized (
      select user_id, address, owed, sha256(${secret}::bytea || int8send(user_id)) as salt
      from referral_owed_view
    ), leaf as materialized (
      select *, row_number() over (order by hash) - 1 as position
      from (
        select *, sha256('\\x00'::bytea || convert_to(${day}, 'UTF8') || address || salt || owed_bytes(owed)) as hash
        from salted
      ) hashed
    ), kept as (
      insert into owed_leaf (day, position, user_id, salt, owed)
      select ${day}::date, position, user_id, salt, owed from leaf order by user_id
    ), bottom as (
      insert into owed_node (day, level, position, hash, sum)
      select ${day}::date, 0, position, hash, owed from leaf order by position
    )
    select count(*)::integer as leaves from leaf`.execute(tx)
  return rows[0]?.leaves ?? 0
}

async function insertParents(tx: Tx, { day, level }: { day: BusinessDay; level: number }) {
  await sql`
    insert into owed_node (day, level, position, hash, sum)
    select ${day}::date, ${level + 1}::smallint, position / 2,
      sha256('\\x01'::bytea || hash || owed_bytes(sum) || beside || owed_bytes(sum_beside)), sum + sum_beside
    from (
      select position, hash, sum, lead(hash, 1, ${NOTHING}) over place as beside,
        lead(sum, 1, 0::numeric) over place as sum_beside
      from owed_node
      where day = ${day}::date and level = ${level}::smallint
      window place as (order by position)
    ) node
    where position % 2 = 0`.execute(tx)
}

/** Removes the leaves and nodes of days before one. Their roots stay. */
export async function forgetTrees(tx: Tx, before: BusinessDay): Promise<void> {
  await own(tx).deleteFrom('owed_leaf').where('day', '<', before).execute()
  await own(tx).deleteFrom('owed_node').where('day', '<', before).execute()
}

/** A holder's leaf of a day; undefined if the holder was owed nothing. */
export async function findOwedLeaf(
  db: DbOrTx,
  { day, userId }: { day: string; userId: bigint },
): Promise<{ position: number; salt: Buffer; owed: bigint } | undefined> {
  return own(db)
    .selectFrom('owed_leaf')
    .select(['position', 'salt', 'owed'])
    .where('day', '=', day)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** All nodes of a day at these places, by `LEVEL:POSITION`; places beyond the end of a level have none. */
export async function findOwedNodes(
  db: DbOrTx,
  { day, places }: { day: string; places: readonly { level: number; position: number }[] },
): Promise<Map<string, SumNode>> {
  if (places.length === 0) return new Map()
  const rows = await own(db)
    .selectFrom('owed_node')
    .select(['level', 'position', 'hash', 'sum'])
    .where('day', '=', day)
    .where((eb) => eb.or(places.map(({ level, position }) => eb.and({ level, position }))))
    .execute()
  return new Map(
    rows.map(({ level, position, hash, sum }) => [`${level}:${position}`, { hash, sum }]),
  )
}

export async function depthOf(db: DbOrTx, day: string): Promise<number> {
  const row = await own(db)
    .selectFrom('owed_node')
    .select((eb) => eb.fn.max<number | null>('level').as('level'))
    .where('day', '=', day)
    .executeTakeFirst()
  return row?.level ?? 0
}
