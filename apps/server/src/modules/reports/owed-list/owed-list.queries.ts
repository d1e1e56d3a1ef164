import type { SumNode } from '@dct/rules/sum-tree'
import { sql } from 'kysely'
import type { BusinessDay } from '../../../platform/clock.ts'
import type { DbOrTx, Tx } from '../../../platform/database/db.ts'
import { own } from '../reports.tables.ts'

export type OwedDay = { day: string; at: Date; root: Buffer; sum: bigint; holders: number }
export type OwedLeaf = { userId: bigint; salt: Uint8Array; owed: bigint }

const ROWS_AT_ONCE = 5_000

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
  const leaves = tree.leaves.map(({ userId, salt, owed }, position) => ({
    ...{ day, position, owed, user_id: userId, salt: Buffer.from(salt) },
  }))
  for (const rows of batches(leaves)) await own(tx).insertInto('owed_leaf').values(rows).execute()
  const nodes = tree.levels.flatMap((level, at) =>
    level.map(({ hash, sum }, position) => ({
      ...{ day, level: at, position, sum, hash: Buffer.from(hash) },
    })),
  )
  for (const rows of batches(nodes)) await own(tx).insertInto('owed_node').values(rows).execute()
}

function* batches<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE)
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
