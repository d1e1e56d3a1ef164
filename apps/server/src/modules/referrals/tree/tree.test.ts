import { parseAmount } from '@dct/money'
import { REFERRAL_PERCENTAGE_MAX_BPS } from '@dct/rules/constants'
import { referralShares, type Upline } from '@dct/rules/referral-shares'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { isViolationOf } from '../../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { elementAt } from '../../../testing/element-at.ts'
import { below, dice, growForest, plant, type Sapling, SHAPES } from '../../../testing/forest.ts'
import { ManualClock } from '../../../testing/manual-clock.ts'
import { givenUser } from '../../../testing/users.ts'

const database = useTestDatabase()
beforeEach(() => wipe(database.db))

const seed = Number(process.hrtime.bigint() % 1_000_000_007n)
const SIZE = 2_100

/** The users who earn from a payer according to `referralShares`, given every user above. */
function lineOf(forest: readonly Sapling[], payer: number): string[] {
  const above: Upline[] = []
  for (let at = forest[payer]?.referrer; at !== undefined; at = forest[at]?.referrer) {
    const rateBps = BigInt(forest[at]?.bps ?? 0)
    above.push({ userId: BigInt(at + 1), level: above.length + 1, rateBps })
  }
  const feeUsdt = parseAmount('USDT', '1')
  const shares = referralShares({ feeUsdt, directRateBps: 0n, referrerId: undefined, line: above })
  let highest = 0n
  return shares.map(({ receiverId, level, rateBps }) => {
    highest += rateBps
    return `${receiverId} at ${level} with ${highest}`
  })
}

test.each(SHAPES)(
  `the line above every payer follows the rule: %s (seed ${seed})`,
  async (shape) => {
    const forest = growForest({ shape, size: SIZE, seed })
    await plant(database.db, forest)
    const { rows } = await sql<{ payer: bigint; line: string[] }>`
    select n.user_id as payer, array(
      select l.user_id || ' at ' || l.level || ' with ' || l.rate_bps
      from referral_line(n.user_id, ${REFERRAL_PERCENTAGE_MAX_BPS}) l
    ) as line from referral_node n`.execute(database.db)
    expect(rows).toHaveLength(SIZE)
    for (const { payer, line } of rows) {
      expect(line, `payer ${payer}`).toEqual(lineOf(forest, Number(payer) - 1))
    }
  },
)

test('a changed percentage applies to the next fee', async () => {
  const trees = await plant(database.db, growForest({ shape: 'line', size: 200, seed }))
  const roll = dice(seed)
  for (let round = 0; round < 60; round += 1) {
    const place = roll(199)
    const bps = roll(3) === 0 ? 0 : roll(7_501)
    const tree = elementAt(trees, place)
    tree.bps = bps
    await sql`update app_user set referral_reward_bps = ${bps} where id = ${tree.id}`.execute(
      database.db,
    )
    const payer = roll(200)
    const { rows } = await sql<{ line: string }>`
      select user_id || ' at ' || level || ' with ' || rate_bps as line
      from referral_line(${payer + 1}, ${REFERRAL_PERCENTAGE_MAX_BPS})`.execute(database.db)
    expect(rows.map(({ line }) => line)).toEqual(lineOf(trees, payer))
  }
})

test.each(SHAPES)(
  'for any two users, the tree knows whether one is below the other: %s',
  async (shape) => {
    const forest = growForest({ shape, size: 400, seed })
    const trees = await plant(database.db, forest)
    const roll = dice(seed)
    for (let round = 0; round < 25; round += 1) {
      const place = roll(roll(2) === 0 ? 400 : 20)
      const top = elementAt(trees, place)
      const { rows } = await sql<{ id: bigint }>`
      select user_id as id from referral_node
      where referral_is_under(user_id, ${top.id}, ${top.level}) order by 1`.execute(database.db)
      expect(rows.map(({ id }) => Number(id) - 1)).toEqual(below(forest, place))
    }
  },
)

test('[T018] a position in the tree is permanent', async () => {
  await plant(database.db, growForest({ shape: 'line', size: 5, seed }))
  for (const statement of [
    sql`update referral_node set referrer_id = 1, depth = 1 where user_id = 3`,
    sql`update referral_node set referrer_id = 5 where user_id = 2`,
    sql`update referral_node set jump_id = jump_id + 100 where user_id = 4`,
    sql`delete from referral_node where user_id = 5`,
  ]) {
    await expect(statement.execute(database.db)).rejects.toSatisfy((error) =>
      isViolationOf(error, 'referral_node_fixed'),
    )
  }
})

const clock = new ManualClock('2026-01-31T10:00:00Z')
const deps = () => ({ db: database.db, clock, realClock: clock })
const remove = (id: bigint) =>
  database.db
    .updateTable('app_user')
    .set({ deleted_at: clock.now() })
    .where('id', '=', id)
    .execute()

test('a user with a downline cannot be removed, and no user can register below a removed user', async () => {
  const top = await givenUser(deps())
  const leaf = await givenUser(deps(), { referrerId: top.id })
  const isRefusal = (error: unknown) => isViolationOf(error, 'referral_node_referrer')
  await expect(remove(top.id)).rejects.toSatisfy(isRefusal)
  await remove(leaf.id)
  await expect(givenUser(deps(), { referrerId: leaf.id })).rejects.toSatisfy(isRefusal)
  await remove(top.id)
})

test('of a concurrent removal and a registration below, one is refused', async () => {
  for (let round = 0; round < 15; round += 1) {
    const top = await givenUser(deps())
    const results = await Promise.allSettled([
      remove(top.id),
      givenUser(deps(), { referrerId: top.id }),
    ])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }
})
