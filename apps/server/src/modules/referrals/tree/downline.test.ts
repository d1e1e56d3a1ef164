import { parseAmount } from '@dct/money'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { sharedReads } from '../../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { elementAt } from '../../../testing/element-at.ts'
import { below, dice, growForest, plant, SHAPES, type Tree } from '../../../testing/forest.ts'
import { ManualClock } from '../../../testing/manual-clock.ts'
import { payFee, stake } from '../../../testing/referrals.ts'
import { givenUser } from '../../../testing/users.ts'
import { createDownlineLoop, downlineAge, recordStake, referralTotals } from '../index.ts'
import { downlineFigures } from './downline-figures.queries.ts'

const database = useTestDatabase()
const clock = new ManualClock('2026-01-31T10:00:00Z')
beforeEach(() => wipe(database.db))

const seed = Number(process.hrtime.bigint() % 1_000_000_007n)
const deps = () => ({ db: database.db, clock, realClock: clock })
const loop = () => createDownlineLoop({ db: database.db, pauseMs: 0 })
async function updateTotals(): Promise<void> {
  const { step } = loop()
  while (!(await step()));
}

type Plot = Tree & { locked: bigint; isRemoved: boolean }

/** The figures of all users, computed directly from their definition. */
function figuresOf(plots: readonly Plot[]) {
  return plots
    .map((plot, place) => ({ plot, place }))
    .filter(({ plot }) => !plot.isRemoved)
    .map(({ plot, place }) => {
      const members = below(plots, place).flatMap((at) => {
        const member = plots[at]
        return member === undefined || member.isRemoved ? [] : [member]
      })
      return {
        userId: plot.id,
        directs: members.filter(({ referrer }) => referrer === place).length,
        members: members.length,
        turnover: members.reduce((sum, { locked }) => sum + locked, 0n),
      }
    })
}

async function readFigures(plots: readonly Plot[]) {
  const ids = plots.filter(({ isRemoved }) => !isRemoved).map(({ id }) => id)
  const found = await downlineFigures(database.db, ids)
  return ids.map((id) => {
    const { userId = 0n, directs, members, turnover } = found.get(id) ?? {}
    return { userId, directs, members, turnover }
  })
}

async function readTotals(plots: readonly Plot[]) {
  const ids = plots.filter(({ isRemoved }) => !isRemoved).map(({ id }) => id)
  const { rows } = await sql<object>`
    select u.id as "userId", coalesce(directs, 0) as directs, coalesce(members, 0) as members,
      coalesce(turnover, 0) as turnover
    from app_user u left join downline_total t on t.user_id = u.id
    where u.id = any(${ids.map(String)}::bigint[]) order by u.id`.execute(database.db)
  return rows
}

/** Makes one random change to the forest, both in the database and in memory. */
async function happen(plots: Plot[], roll: (below: number) => number): Promise<void> {
  const place = roll(plots.length)
  const plot = elementAt(plots, place)
  const isLeaf = !plots.some(({ referrer, isRemoved }) => referrer === place && !isRemoved)
  const kind = roll(10)
  if (kind === 0 && isLeaf && plot.locked === 0n && !plot.isRemoved) {
    plot.isRemoved = true
    await sql`update app_user set deleted_at = now() where id = ${plot.id}`.execute(database.db)
    return
  }
  if (plot.isRemoved) return
  if (kind < 5) {
    const dct = `${10 + roll(40)}`
    plot.locked += parseAmount('DCT', dct)
    return stake(deps(), { address: plot.address, dct })
  }
  const user = await givenUser(deps(), { referrerId: plot.id })
  const born = { id: user.id, address: user.address, code: user.referralCode }
  plots.push({ ...born, referrer: place, bps: 0, level: 0, locked: 0n, isRemoved: false })
}

test.each(SHAPES)(
  `figures are exact at every moment, with or without queued changes: %s (seed ${seed})`,
  async (shape) => {
    const roll = dice(seed)
    const planted = await plant(database.db, growForest({ shape, size: 90, seed }))
    const plots: Plot[] = planted.map((tree) => ({ ...tree, locked: 0n, isRemoved: false }))
    for (let round = 0; round < 40; round += 1) {
      await happen(plots, roll)
      if (roll(6) === 0) await updateTotals()
      if (round % 5 === 0) expect(await readFigures(plots)).toEqual(figuresOf(plots))
    }
    expect(await readFigures(plots)).toEqual(figuresOf(plots))
    await updateTotals()
    expect(await readFigures(plots)).toEqual(figuresOf(plots))
    expect(await readTotals(plots)).toEqual(figuresOf(plots))
  },
)

test('concurrent updates by several processes count everything once', async () => {
  await plant(database.db, growForest({ shape: 'any', size: 3_000, seed }))
  const loops = Array.from({ length: 6 }, () => loop())
  const turns = loops.map(async ({ step }) => {
    for (let round = 0; round < 5; round += 1) await step()
  })
  await Promise.all(turns)
  await updateTotals()
  const { rows } = await sql<{ members: bigint; directs: bigint }>`
    select sum(members) as members, sum(directs) as directs from downline_total`.execute(
    database.db,
  )
  const { rows: expected } = await sql<{ members: bigint; directs: bigint }>`
    select sum(depth) as members, count(referrer_id) as directs from referral_node`.execute(
    database.db,
  )
  expect(rows).toEqual(expected)
})

test('a stake of an unregistered address counts once the address is registered', async () => {
  const top = await givenUser(deps())
  const stranger = await givenUser(deps(), { referrerId: top.id })
  await sql`update app_user set deleted_at = now() where id = ${stranger.id}`.execute(database.db)
  await stake(deps(), { address: stranger.address, dct: '20' })
  await updateTotals()
  expect((await referralTotals(database.db, [top.id])).get(top.id)).toMatchObject({ omset: 0n })
  await sql`
    insert into app_user (address, referral_code, referrer_id, depth, created_at)
    values (${stranger.address}, 'ABCDEFGH', ${top.id}, 1, now())`.execute(database.db)
  const expected = { referrals: 1, omset: parseAmount('DCT', '20') }
  expect((await referralTotals(database.db, [top.id])).get(top.id)).toMatchObject(expected)
  await updateTotals()
  expect((await referralTotals(database.db, [top.id])).get(top.id)).toMatchObject(expected)
})

test('a stake is recorded once, and other events of the contract do not count as turnover', async () => {
  const top = await givenUser(deps())
  const user = await givenUser(deps(), { referrerId: top.id })
  const event = {
    name: 'Staked',
    args: { stakeId: '900', staker: `0x${user.address.toString('hex')}`, amount: '15000000' },
  }
  for (const one of [event, event, { ...event, name: 'Released' }]) {
    await database.db.transaction().execute((tx) => recordStake(tx, one))
  }
  expect((await referralTotals(database.db, [top.id])).get(top.id)).toMatchObject({
    omset: 15_000_000n,
  })
})

test('the age of the totals is that of the oldest queued change, and 0 without any', async () => {
  const top = await givenUser(deps())
  expect(await downlineAge(database.db)).toBe(0)
  await givenUser(deps(), { referrerId: top.id })
  await sql`update downline_change set recorded_at = recorded_at - interval '42 seconds'`.execute(
    database.db,
  )
  expect(await downlineAge(database.db)).toBeGreaterThanOrEqual(42)
  await updateTotals()
  expect(await downlineAge(database.db)).toBe(0)
})

test('a user’s totals contain earned and claimed amounts of both kinds', async () => {
  const top = await givenUser(deps())
  const user = await givenUser(deps(), { referrerId: top.id })
  await sql`update app_user set referral_reward_bps = 500 where id = ${top.id}`.execute(database.db)
  await payFee(deps(), { payerId: user.id, usdt: '10' })
  await stake(deps(), { address: user.address, dct: '12.5' })
  const totals = await referralTotals(database.db, [top.id, user.id, 999n])
  expect(totals.get(top.id)).toEqual({
    referrals: 1,
    omset: parseAmount('DCT', '12.5'),
    directReward: parseAmount('USDT', '1'),
    directClaimed: 0n,
    indirectReward: parseAmount('USDT', '0.5'),
    indirectClaimed: 0n,
  })
  expect([...totals.keys()].sort()).toEqual([top.id, user.id].sort())
})

test('the figures of a user are planned once and not at every call, as with a list of ids', async () => {
  const { id } = await givenUser(deps())
  const reads = sharedReads(database.db)
  for (let call = 0; call < 10; call += 1) await downlineFigures(reads, [id])
  const { rows } = await sql<{ planned: bigint }>`
    select custom_plans as planned from pg_prepared_statements where statement like '%isQueued%'`.execute(
    reads,
  )
  // PostgreSQL plans the first five calls of any statement for their values.
  expect(rows).toEqual([{ planned: 5n }])
})
