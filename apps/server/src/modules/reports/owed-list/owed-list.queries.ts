import type { SumNode } from '@dct/rules/sum-tree'
import { sql } from 'kysely'
import type { BusinessDay } from '../../../platform/clock.ts'
import type { DbOrTx, Tx } from '../../../platform/database/db.ts'
import { own } from '../reports.tables.ts'

export type OwedDay = { day: string; at: Date; root: Buffer; sum: bigint; holders: number }
export type OwedLeaf = { userId: bigint; salt: Uint8Array; owed: bigint }

const ROWS_AT_ONCE = 20_000

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

/** @returns false if the day has its list already */
export async function insertOwedDay(tx: Tx, day: OwedDay): Promise<boolean> {
  const made = await own(tx)
    .insertInto('owed_day')
    .values(day)
    .onConflict((conflict) => conflict.column('day').doNothing())
    .executeTakeFirst()
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Stores the leaves, in the order of the tree's lowest level, and the tree's levels. */
export async function insertTree(
  tx: Tx,
  day: BusinessDay,
  tree: { leaves: readonly OwedLeaf[]; levels: readonly (readonly SumNode[])[] },
): Promise<void> {
  for (const { rows, first } of batches(tree.leaves)) {
    const users = rows.map(({ userId }) => `${userId}`)
    const salts = rows.map(({ salt }) => Buffer.from(salt))
    const owed = rows.map((row) => `${row.owed}`)
    await sql`
      insert into owed_leaf (day, position, user_id, salt, owed)
      select ${day}::date, ${first}::integer + at - 1, user_id, salt, owed
      from unnest(${users}::bigint[], ${salts}::bytea[], ${owed}::numeric[])
           with ordinality row (user_id, salt, owed, at)`.execute(tx)
  }
  for (const [level, nodes] of tree.levels.entries()) {
    for (const { rows, first } of batches(nodes)) {
      const hashes = rows.map(({ hash }) => Buffer.from(hash))
      const sums = rows.map(({ sum }) => `${sum}`)
      await sql`
        insert into owed_node (day, level, position, hash, sum)
        select ${day}::date, ${level}::smallint, ${first}::integer + at - 1, hash, sum
        from unnest(${hashes}::bytea[], ${sums}::numeric[]) with ordinality row (hash, sum, at)`.execute(
        tx,
      )
    }
  }
}

/** Parts of a list, each with the place of its first row in the whole. */
function* batches<T>(list: readonly T[]): Generator<{ rows: readonly T[]; first: number }> {
  for (let first = 0; first < list.length; first += ROWS_AT_ONCE) {
    yield { rows: list.slice(first, first + ROWS_AT_ONCE), first }
  }
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
