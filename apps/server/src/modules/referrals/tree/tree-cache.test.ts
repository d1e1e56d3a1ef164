import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase, wipe } from '../../../testing/database.ts'
import { below, dice, growForest, plant, SHAPES } from '../../../testing/forest.ts'
import { ManualClock } from '../../../testing/manual-clock.ts'
import { givenUser } from '../../../testing/users.ts'
import { idsOf } from './id-set.ts'
import { createTreeCache, type TreeNow } from './tree-cache.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => wipe(database.db))

const seed = Number(process.hrtime.bigint() % 1_000_000_007n)
const clock = new ManualClock('2026-01-31T10:00:00Z')
const register = (above?: { id: bigint }) =>
  givenUser(
    { db: database.db, clock, realClock: clock },
    above === undefined ? {} : { referrerId: above.id },
  )
const downlineOf = (tree: TreeNow, user: { id: bigint }) => idsOf(tree.downlineOf(Number(user.id)))
const idsOfAll = (...users: readonly { id: bigint }[]) => users.map(({ id }) => Number(id))

test.each(SHAPES)(
  `downlines, direct referrals and levels in memory are correct: %s (seed ${seed})`,
  async (shape) => {
    const forest = growForest({ shape, size: 500, seed })
    const trees = await plant(database.db, forest)
    const tree = await createTreeCache().read(database.db)
    const roll = dice(seed)
    for (const place of [0, roll(5), roll(500)]) {
      const members = below(forest, place)
      const downline = tree.downlineOf(place + 1)
      expect(idsOf(downline)).toEqual(members.map((at) => at + 1).sort((a, b) => a - b))
      expect(downline.size).toBe(members.length)
      const own = forest.flatMap(({ referrer }, at) => (referrer === place ? [at + 1] : []))
      expect(idsOf(tree.directsOf(place + 1))).toEqual(own)
      const from = roll(members.length + 1)
      const levelOf = (at: number) => trees[at]?.level ?? 0
      const ordered = members.sort((a, b) => levelOf(a) - levelOf(b) || a - b).map((at) => at + 1)
      expect(tree.byLevel(downline, { from, end: from + 30 })).toEqual(
        ordered.slice(from, from + 30),
      )
    }
  },
)

test('registrations and removals appear in the next reading', async () => {
  const tree = createTreeCache()
  const top = await register()
  const first = await register(top)
  expect(downlineOf(await tree.read(database.db), top)).toEqual(idsOfAll(first))
  const second = await register(first)
  const [now, again] = await Promise.all([tree.read(database.db), tree.read(database.db)])
  expect(downlineOf(now, top)).toEqual(idsOfAll(first, second))
  expect(downlineOf(again, top)).toEqual(idsOfAll(first, second))
  await database.db
    .updateTable('app_user')
    .set({ deleted_at: clock.now() })
    .where('id', '=', second.id)
    .execute()
  expect(downlineOf(await tree.read(database.db), top)).toEqual(idsOfAll(first))
})

test('a user whose id was assigned early but committed late is found, even after many others', async () => {
  const tree = createTreeCache()
  const top = await register()
  await tree.read(database.db)
  const late = await database.db.transaction().execute(async (tx) => {
    const user = await tx
      .insertInto('app_user')
      .values({
        address: Buffer.alloc(20, 9),
        referral_code: 'LATECODE',
        referrer_id: top.id,
        depth: 1,
        created_at: clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (let round = 0; round < 3; round += 1) {
      const other = await register(top)
      expect(downlineOf(await tree.read(database.db), top)).toContain(Number(other.id))
      expect(downlineOf(await tree.read(database.db), top)).not.toContain(Number(user.id))
    }
    return user
  })
  const below = await register(late)
  const after = downlineOf(await tree.read(database.db), top)
  expect(after).toEqual(expect.arrayContaining(idsOfAll(late, below)))
  expect(after).toHaveLength(5)
})

test('after a failed first read, the next caller reads the tree', async () => {
  const tree = createTreeCache()
  const top = await register()
  const first = await register(top)
  const closed = await createTestDatabase()
  await closed.drop()
  await expect(tree.read(closed.db)).rejects.toThrow()
  expect(downlineOf(await tree.read(database.db), top)).toEqual(idsOfAll(first))
})
