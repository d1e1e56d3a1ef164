import { formatTronAddress } from '@dct/rules/addresses'
import { beforeEach, expect, test } from 'vitest'
import { realClock } from '../../../platform/clock.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { elementAt } from '../../../testing/element-at.ts'
import {
  below,
  dice,
  growForest,
  plant,
  type Sapling,
  SHAPES,
  type Tree,
} from '../../../testing/forest.ts'
import { stake } from '../../../testing/referrals.ts'
import { createDownlineLoop, createTreeCache } from '../index.ts'
import { listDirects, listDownline } from './list-downline.ts'

const database = useTestDatabase()
beforeEach(() => wipe(database.db))

const listDeps = () => ({ db: database.db, tree: createTreeCache() })
const seed = Number(process.hrtime.bigint() % 1_000_000_007n)
/** The smaller downline is walked in the database, the larger one in memory. */
const SIZES = [300, 6_000]
const SORTS = ['level', 'created_at', 'tron_address', 'referral_code'] as const
type Sort = (typeof SORTS)[number]

/** A tree node with its formatted address. */
type Known = Tree & { formatted: string }
async function plantAndFold(shape: (typeof SHAPES)[number], size: number) {
  const forest = growForest({ shape, size, seed })
  return { forest, trees: await plantForest(forest) }
}

async function plantForest(forest: readonly Sapling[]): Promise<Known[]> {
  const planted = await plant(database.db, forest)
  await updateAllTotals()
  return planted.map((tree) => ({ ...tree, formatted: formatTronAddress(tree.address) }))
}

async function updateAllTotals(): Promise<void> {
  const { step } = createDownlineLoop({ db: database.db, pauseMs: 0 })
  while (!(await step()));
}

const KEYS: Record<Sort, (tree: Known) => string | number> = {
  level: (tree) => tree.level,
  created_at: (tree) => Number(tree.id),
  tron_address: (tree) => tree.formatted,
  referral_code: (tree) => tree.code,
}
function sorted(
  trees: readonly Known[],
  key: (tree: Known) => string | number,
  order: 'asc' | 'desc',
): Known[] {
  const sign = order === 'asc' ? 1 : -1
  return trees.toSorted((a, b) => {
    const [x, y] = [key(a), key(b)]
    return sign * (x < y ? -1 : x > y ? 1 : Number(a.id - b.id))
  })
}
const treesAt = (trees: readonly Known[], places: readonly number[]) =>
  places.flatMap((place) => trees[place] ?? [])

for (const size of SIZES) {
  test.each(SHAPES)(
    `a page of a downline of ${size} is correct for every sort order: %s (seed ${seed})`,
    { timeout: 60_000 },
    async (shape) => {
      const { forest, trees } = await plantAndFold(shape, size)
      const roll = dice(seed)
      const deps = listDeps()
      for (const place of [0, roll(5), roll(size)]) {
        const top = elementAt(trees, place)
        const members = treesAt(trees, below(forest, place))
        for (const sort_by of SORTS) {
          for (const sort_order of ['asc', 'desc'] as const) {
            const page = 1 + roll(Math.ceil((members.length + 1) / 10))
            const query = { page, limit: 10, sort_by, sort_order }
            const found = await listDownline(deps, top.id, query)
            const expected = sorted(members, KEYS[sort_by], sort_order).slice(
              page * 10 - 10,
              page * 10,
            )
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

  test(`a search in a downline of ${size} matches the beginnings of addresses and codes`, async () => {
    const { forest, trees } = await plantAndFold('bush', size)
    const members = treesAt(trees, below(forest, 0))
    const roll = dice(seed)
    const some = members[roll(members.length)]
    const address = some?.formatted ?? ''
    const searches = [
      address,
      ...SORTS.map(() => address.slice(0, 3)),
      ...SORTS.map(() => address.slice(0, 2)),
      address.slice(-4),
      `${address.slice(0, 5)}...${address.slice(-5)}`,
      some?.code ?? '',
      (some?.code ?? '').slice(0, 2).toLowerCase(),
      'T',
      'nobody!',
      '%',
      '0',
    ]
    for (const [at, search] of searches.entries()) {
      const isFound = ({ formatted, code }: Known) =>
        formatted.startsWith(search) ||
        (search.length > 2 && formatted.endsWith(search)) ||
        search === `${formatted.slice(0, 5)}...${formatted.slice(-5)}` ||
        code.startsWith(search.toUpperCase())
      const sort_by = SORTS[at % SORTS.length] ?? 'level'
      const sort_order = at % 3 === 0 ? 'asc' : 'desc'
      const hits = sorted(members.filter(isFound), KEYS[sort_by], sort_order)
      const query = { page: 1, limit: 10, search, sort_by, sort_order } as const
      const found = await listDownline(listDeps(), 1n, query)
      expect([search, found.total]).toEqual([search, hits.length])
      expect(found.nodes.map(({ referralCode }) => referralCode)).toEqual(
        hits.slice(0, 10).map(({ code }) => code),
      )
    }
  })
}

test('direct referrals can be sorted by every shown field', async () => {
  const { forest, trees } = await plantAndFold('bush', 120)
  const place = trees.findIndex((_, at) => forest.filter((one) => one.referrer === at).length > 2)
  await expectSortedDirects(trees, place)
})

test('so can large numbers of direct referrals, on pages read from both ends, and search results', async () => {
  // The first user referred 2,300 others, and some of those referred the rest.
  const forest = Array.from({ length: 2_400 }, (_, at) => ({
    referrer: at === 0 ? undefined : at <= 2_300 ? 0 : 1 + (at % 17),
    bps: 0,
  }))
  const trees = await plantForest(forest)
  await expectSortedDirects(trees, 0)
  const [gone] = trees.slice(2_250)
  await database.db
    .updateTable('app_user')
    .set({ deleted_at: realClock.now() })
    .where('id', '=', gone?.id ?? 0n)
    .execute()
  const deps = listDeps()
  const query = { page: 1, limit: 10, sort_by: 'created_at', sort_order: 'asc' } as const
  const all = await listDirects(deps, 1n, query)
  expect(all.total).toBe(2_299)
  const found = await listDirects(deps, 1n, { ...query, search: gone?.code ?? '' })
  expect(found).toEqual({ nodes: [], total: 0 })
})

/** Gives some users stakes, then checks pages of one user's direct referrals in every order. */
async function expectSortedDirects(trees: readonly Known[], place: number): Promise<void> {
  const roll = dice(seed)
  const locked = new Map<bigint, number>()
  for (let round = 0; round < 30; round += 1) {
    const tree = elementAt(trees, 1 + roll(trees.length - 1))
    if (locked.has(tree.id)) continue
    locked.set(tree.id, 10 + roll(40))
    await stake({ db: database.db }, { address: tree.address, dct: `${locked.get(tree.id)}` })
  }
  await updateAllTotals()
  const children = Map.groupBy(trees, ({ referrer }) => referrer)
  const own = children.get(place) ?? []
  const figures = {
    total_referrals: (tree: Known) => children.get(trees.indexOf(tree))?.length ?? 0,
    total_locked_amount: (tree: Known) => (locked.get(tree.id) ?? 0) * 1_000_000,
  }
  const keyOf = { ...KEYS, ...figures }
  const deps = listDeps()
  for (const sort_by of [...SORTS, 'total_referrals', 'total_locked_amount'] as const) {
    for (const sort_order of ['asc', 'desc'] as const) {
      const expected = sorted(own, keyOf[sort_by], sort_order)
      const last = Math.max(1, Math.ceil(own.length / 10))
      for (const page of new Set([1, Math.ceil(last / 2), last])) {
        const query = { page, limit: 10, sort_by, sort_order }
        const { nodes, total } = await listDirects(deps, trees[place]?.id ?? 0n, query)
        expect(total).toBe(own.length)
        expect(
          nodes.map((node) => [node.referralCode, node.level, node.referrals, Number(node.locked)]),
        ).toEqual(
          expected
            .slice(page * 10 - 10, page * 10)
            .map((tree) => [
              tree.code,
              1,
              figures.total_referrals(tree),
              figures.total_locked_amount(tree),
            ]),
        )
      }
    }
  }
}
