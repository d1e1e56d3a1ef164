import { createHash } from 'node:crypto'
import { referralCodeFrom } from '@dct/rules/referral-code'
import { sql } from 'kysely'
import type { Db } from '../platform/database/db.ts'

/** A user to register: the index of the referrer, who comes earlier in the list, and a percentage. */
export type Sapling = { referrer: number | undefined; bps: number }
export type Tree = Sapling & { id: bigint; address: Buffer; code: string; level: number }

const DAY = Date.parse('2026-01-01T00:00:00Z')

/** Deterministic random numbers from a seed (mulberry32). */
export function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

export const SHAPES = ['any', 'line', 'star', 'caterpillar', 'bush'] as const

/** Grows a forest of that shape from a seed: many trees, a long line, a wide tree, a line with leaves, or deep and wide. */
export function growForest(input: {
  shape: (typeof SHAPES)[number]
  size: number
  seed: number
}): Sapling[] {
  const roll = dice(input.seed)
  const referrers = {
    any: (at: number) => (roll(50) === 0 ? undefined : roll(at)),
    line: (at: number) => at - 1,
    star: () => 0,
    caterpillar: (at: number) => (at % 3 === 0 ? at - 1 : at - (at % 3)) % at,
    bush: (at: number) => at - 1 - roll(Math.min(at, 8)),
  }
  const rates = [0, 0, 0, 0, 0, 0, 1, 500, 1_000, 1_000, 2_500, 7_499, 7_500]
  return Array.from({ length: input.size }, (_, at) => ({
    referrer: at === 0 ? undefined : referrers[input.shape](at),
    bps: roll(4) > 0 ? 0 : (rates[roll(rates.length)] ?? 0),
  }))
}

/** Registers a whole forest with one statement. */
export async function plant(db: Db, forest: readonly Sapling[]): Promise<Tree[]> {
  const trees: Tree[] = []
  for (const [at, sapling] of forest.entries()) {
    const above = sapling.referrer === undefined ? undefined : trees[sapling.referrer]
    const hash = createHash('sha256').update(`user ${at}`).digest()
    trees.push({
      ...sapling,
      id: BigInt(at + 1),
      address: hash.subarray(0, 20),
      code: referralCodeFrom(Uint8Array.from({ length: 8 }, (_, sign) => (at >> (5 * sign)) % 32)),
      level: above === undefined ? 0 : above.level + 1,
    })
  }
  const column = (read: (tree: Tree) => string | null) => trees.map(read)
  await sql`
    insert into app_user
      (id, address, referral_code, referrer_id, depth, referral_reward_bps, created_at)
      overriding system value
    select * from unnest(
      ${column((tree) => `${tree.id}`)}::bigint[],
      ${column((tree) => `\\x${tree.address.toString('hex')}`)}::bytea[],
      ${column((tree) => tree.code)}::text[],
      ${column((tree) => (tree.referrer === undefined ? null : `${tree.referrer + 1}`))}::bigint[],
      ${column((tree) => `${tree.level}`)}::integer[],
      ${column((tree) => `${tree.bps}`)}::integer[],
      ${column((tree) => new Date(DAY + Number(tree.id) * 1_000).toISOString())}::timestamptz[])
    `.execute(db)
  await sql`select setval(pg_get_serial_sequence('app_user', 'id'), ${trees.length})`.execute(db)
  await sql`analyze app_user, referral_node`.execute(db)
  return trees
}

/** The indexes of all users below a user. */
export function below(forest: readonly Sapling[], place: number): number[] {
  const found = new Set([place])
  for (const [at, { referrer }] of forest.entries()) {
    if (referrer !== undefined && found.has(referrer)) found.add(at)
  }
  found.delete(place)
  return [...found]
}
