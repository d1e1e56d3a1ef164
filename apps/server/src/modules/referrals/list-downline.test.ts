import { formatTronAddress } from '@dct/rules/addresses'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { createTestDatabase, type TestDatabase, wipe } from '../../testing/database.ts'
import { below, dice, growForest, plant, SHAPES, type Tree } from '../../testing/forest.ts'
import { stake } from '../../testing/referrals.ts'
import {
  countFound,
  fitsMoreThan,
  idsAmongFirst,
  idsByFarLevel,
  idsByLevel,
  idsByMembers,
  idsByScan,
  idsByWalk,
  idsInOrder,
} from './downline-list.queries.ts'
import { createDownlineLoop } from './index.ts'
import { listDirects, listDownline } from './list-downline.ts'
import { readNodeSearch } from './node-search.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => wipe(database.db))

const seed = Number(process.hrtime.bigint() % 1_000_000_007n)
/** Below it a downline is read as a whole; above it other ways are taken. */
const SIZES = [300, 6_000]
const SORTS = ['level', 'created_at', 'tron_address', 'referral_code'] as const
type Sort = (typeof SORTS)[number]

/** A tree with the spelling of its address. */
type Known = Tree & { spelled: string }
async function plantAndFold(shape: (typeof SHAPES)[number], size: number) {
  const forest = growForest({ shape, size, seed })
  const planted = await plant(database.db, forest)
  const { step } = createDownlineLoop({ db: database.db, realClock, pauseMs: 0 })
  while (!(await step()));
  const trees = planted.map((tree) => ({ ...tree, spelled: formatTronAddress(tree.address) }))
  return { forest, trees }
}

const KEYS: Record<Sort, (tree: Known) => string | number> = {
  level: (tree) => tree.level,
  created_at: (tree) => Number(tree.id),
  tron_address: (tree) => tree.spelled,
  referral_code: (tree) => tree.code,
}
function sorted(trees: readonly Known[], sort: Sort, order: 'asc' | 'desc'): Known[] {
  const sign = order === 'asc' ? 1 : -1
  const key = KEYS[sort]
  return trees.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)]
    return sign * (x < y ? -1 : x > y ? 1 : Number(a.id - b.id))
  })
}
const treesAt = (trees: readonly Known[], places: readonly number[]) =>
  places.flatMap((place) => trees[place] ?? [])

for (const size of SIZES) {
  test.each(SHAPES)(
    `a page of a downline of ${size} is the right one, by every sort: %s (seed ${seed})`,
    { timeout: 60_000 },
    async (shape) => {
      const { forest, trees } = await plantAndFold(shape, size)
      const roll = dice(seed)
      for (const place of [0, roll(5), roll(size)]) {
        const top = trees[place]
        if (top === undefined) continue
        const members = treesAt(trees, below(forest, place))
        for (const sort_by of SORTS) {
          for (const sort_order of ['asc', 'desc'] as const) {
            const page = 1 + roll(Math.ceil((members.length + 1) / 10))
            const query = { page, limit: 10, sort_by, sort_order }
            const found = await listDownline(database.db, top.id, query)
            const expected = sorted(members, sort_by, sort_order).slice(page * 10 - 10, page * 10)
            expect(found.nodes.map(({ referralCode }) => referralCode)).toEqual(
              expected.map(({ code }) => code),
            )
            expect(found.nodes.map(({ level }) => level)).toEqual(
              expected.map(({ level }) => level - top.level),
            )
            expect(found.total).toBe(members.length)
          }
        }
      }
    },
  )

  test(`a search in a downline of ${size} finds the beginnings of addresses and codes`, async () => {
    const { forest, trees } = await plantAndFold('bush', size)
    const members = treesAt(trees, below(forest, 0))
    const roll = dice(seed)
    const some = members[roll(members.length)]
    const address = some?.spelled ?? ''
    const searches = [
      address,
      ...SORTS.map(() => address.slice(0, 3)),
      ...SORTS.map(() => address.slice(0, 2)),
      some?.code ?? '',
      (some?.code ?? '').slice(0, 2).toLowerCase(),
      'T',
      'nobody!',
      '%',
      '0',
    ]
    for (const [at, search] of searches.entries()) {
      const isFound = ({ spelled, code }: Known) =>
        spelled.startsWith(search) || code.startsWith(search.toUpperCase())
      const sort_by = SORTS[at % SORTS.length] ?? 'level'
      const sort_order = at % 3 === 0 ? 'asc' : 'desc'
      const hits = sorted(members.filter(isFound), sort_by, sort_order)
      const query = { page: 1, limit: 10, search, sort_by, sort_order } as const
      const found = await listDownline(database.db, 1n, query)
      expect([search, found.total]).toEqual([search, hits.length])
      expect(found.nodes.map(({ referralCode }) => referralCode)).toEqual(
        hits.slice(0, 10).map(({ code }) => code),
      )
    }
  })
}

test('every way to find what a search fits finds the same, and counts no further than it is told', async () => {
  const { trees } = await plantAndFold('bush', 300)
  const { db } = database
  const top = { userId: trees[0]?.id ?? 0n, depth: 0, deepest: 300 }
  // Every address begins with T, so a T alone would find everybody.
  const signs = Map.groupBy(trees.slice(1), ({ code }) => code.slice(0, 1))
  signs.delete('T')
  const [sign] = [...signs].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? ['']
  const search = readNodeSearch(sign)
  const all = await countFound(db, top, { search, how: 'walk', most: null })
  expect(all).toBeGreaterThan(2)
  expect(await countFound(db, top, { search, how: 'scan', most: null })).toBe(all)
  expect(await countFound(db, top, { search, how: 'members', most: null })).toBe(all)
  expect(await countFound(db, top, { search, how: 'scan', most: 2 })).toBe(2)
  expect([await fitsMoreThan(db, search, all - 1), await fitsMoreThan(db, search, 300)]).toEqual([
    true,
    false,
  ])
  for (const sort of SORTS) {
    for (const sort_order of ['asc', 'desc'] as const) {
      const listing = { search, sort, stretch: { offset: 1, limit: 5, sort_order } }
      const walked = await idsByWalk(db, top, listing)
      expect(walked.length).toBeGreaterThan(0)
      expect(await idsInOrder(db, top, listing)).toEqual(walked)
      expect(await idsByScan(db, top, listing)).toEqual(walked)
      expect(await idsByMembers(db, top, listing)).toEqual(walked)
    }
  }
})

test.each(['bush', 'line'] as const)(
  'every way to read a stretch of a whole downline reads the same: %s',
  async (shape) => {
    const { trees } = await plantAndFold(shape, 300)
    const { db } = database
    const gone = trees.at(-1)?.id ?? 0n
    await db
      .updateTable('app_user')
      .set({ deleted_at: realClock.now() })
      .where('id', '=', gone)
      .execute()
    const top = { userId: trees[0]?.id ?? 0n, depth: 0, deepest: 300 }
    const everybody = readNodeSearch('')
    for (const sort of SORTS) {
      for (const sort_order of ['asc', 'desc'] as const) {
        const stretch = { offset: 95, limit: 12, sort_order }
        const listing = { search: everybody, sort, stretch }
        const walked = await idsByWalk(db, top, listing)
        expect(walked).toHaveLength(12)
        expect(await idsByMembers(db, top, listing)).toEqual(walked)
        expect(await idsAmongFirst(db, top, { sort, stretch, asked: 300 })).toEqual(walked)
        if (sort !== 'level' || sort_order === 'desc') continue
        expect(await idsByFarLevel(db, top.userId, stretch)).toEqual(walked)
        expect(await idsByLevel(db, top.userId, stretch)).toEqual(walked)
      }
    }
  },
)

test('users who stand first, but elsewhere in the tree, are asked no longer than is told', async () => {
  const { trees } = await plantAndFold('star', 300)
  const top = { userId: trees[0]?.id ?? 0n, depth: 0, deepest: 1 }
  const stretch = { offset: 0, limit: 10, sort_order: 'desc' } as const
  const ids = (asked: number) =>
    idsAmongFirst(database.db, top, { sort: 'created_at', stretch, asked })
  expect(await ids(10)).toHaveLength(10)
  expect(await ids(4)).toEqual([300n, 299n, 298n, 297n])
})

test('direct referrals are sorted by everything that is shown of them', async () => {
  const { forest, trees } = await plantAndFold('bush', 120)
  const roll = dice(seed)
  const locked = new Map<bigint, number>()
  for (let round = 0; round < 30; round += 1) {
    const tree = trees[1 + roll(119)]
    if (tree === undefined || locked.has(tree.id)) continue
    locked.set(tree.id, 10 + roll(40))
    await stake({ db: database.db }, { address: tree.address, dct: `${locked.get(tree.id)}` })
  }
  const place = trees.findIndex((_, at) => forest.filter((one) => one.referrer === at).length > 2)
  const own = trees.filter(({ referrer }) => referrer === place)
  const childrenOf = (tree: Tree) =>
    trees.filter(({ referrer }) => referrer !== undefined && trees[referrer] === tree).length
  for (const sort_by of ['level', ...SORTS] as const) {
    for (const sort_order of ['asc', 'desc'] as const) {
      const query = { page: 1, limit: 100, sort_by, sort_order }
      const { nodes, total } = await listDirects(database.db, trees[place]?.id ?? 0n, query)
      expect(total).toBe(own.length)
      expect(
        nodes.map((node) => [node.referralCode, node.level, node.referrals, Number(node.locked)]),
      ).toEqual(
        sorted(own, sort_by, sort_order).map((tree) => [
          tree.code,
          1,
          childrenOf(tree),
          (locked.get(tree.id) ?? 0) * 1_000_000,
        ]),
      )
    }
  }
})
