import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { createReferralApp, payClaim } from '../../../testing/referral-app.ts'
import { payFee, setRate } from '../../../testing/referrals.ts'
import { useWorld } from '../../../testing/use-world.ts'
import type { TestUser } from '../../../testing/users.ts'
import { createDownlineLoop } from './downline-loop.ts'

const database = useTestDatabase()
const world = useWorld(() => createReferralApp(database.db))
let top: TestUser
beforeEach(async () => {
  await wipe(database.db)
  world.clock.set('2026-01-31T10:00:00Z')
  top = await world.given()
})

type Tree = {
  total_downline: number
  levels: { level: number; members: number }[]
  deeper: number
  nodes: { level: number; parent: number | null; tron_address: string; total_referrals: number }[]
}
const treeOf = async (user: TestUser) =>
  (await world.call('GET', '/user/referral-tree', { by: user })).body as unknown as Tree
const updateTotals = async () => {
  const { step } = createDownlineLoop({ ...world.people, pauseMs: 0 })
  while (!(await step()));
}

/** Registers a line of users below a user. @returns them from the top down */
async function givenLine(above: TestUser, length: number): Promise<TestUser[]> {
  const line = [above]
  for (let at = 0; at < length; at += 1) {
    line.push(await world.given({ referrerId: line.at(-1)?.id ?? above.id }))
  }
  return line.slice(1)
}

test('the tree shows who is below whom on every level, even while the totals are outdated', async () => {
  const [a, b] = [
    await world.given({ referrerId: top.id }),
    await world.given({ referrerId: top.id }),
  ]
  const c = await world.given({ referrerId: b.id })
  await world.given()
  const expected = {
    total_downline: 3,
    levels: [
      { level: 1, members: 2 },
      { level: 2, members: 1 },
    ],
    deeper: 0,
    nodes: [
      { level: 1, parent: null, tron_address: a.wallet.tronAddress, total_referrals: 0 },
      { level: 1, parent: null, tron_address: b.wallet.tronAddress, total_referrals: 1 },
      { level: 2, parent: 1, tron_address: c.wallet.tronAddress, total_referrals: 0 },
    ],
  }
  expect(await treeOf(top)).toEqual(expected)
  await updateTotals()
  expect(await treeOf(top)).toEqual(expected)
  expect(await treeOf(c)).toEqual({ total_downline: 0, levels: [], deeper: 0, nodes: [] })
})

test('a long line is drawn down to the picture’s last level, and the number of deeper members is shown', async () => {
  await givenLine(top, 20)
  const { total_downline, levels, deeper, nodes } = await treeOf(top)
  expect([total_downline, levels.length, deeper]).toEqual([20, 8, 12])
  expect(nodes.map(({ level, parent }) => [level, parent])).toEqual(
    Array.from({ length: 8 }, (_, at) => [at + 1, at === 0 ? null : at - 1]),
  )
})

test('a wide level is drawn in part, a large group does not crowd out a small one, and all members are counted', async () => {
  const wide = await world.given({ referrerId: top.id })
  const narrow = await world.given({ referrerId: top.id })
  for (let at = 0; at < 30; at += 1) await world.given({ referrerId: wide.id })
  const hidden = await world.given({ referrerId: narrow.id })
  const { levels, nodes } = await treeOf(top)
  expect(levels).toEqual([
    { level: 1, members: 2 },
    { level: 2, members: 31 },
  ])
  const second = nodes.filter(({ level }) => level === 2)
  expect(second).toHaveLength(12)
  expect(second.map(({ tron_address }) => tron_address)).toContain(hidden.wallet.tronAddress)
})

test('removed users are neither drawn nor counted', async () => {
  const gone = await world.given({ referrerId: top.id })
  await sql`update app_user set deleted_at = now() where id = ${gone.id}`.execute(database.db)
  expect(await treeOf(top)).toEqual({ total_downline: 0, levels: [], deeper: 0, nodes: [] })
})

type Period = { start: string; direct: string; indirect: string }
const earningsOf = async (by: 'day' | 'month') => {
  const { body } = await world.call('GET', `/user/referral-earnings?by=${by}`, { by: top })
  return body.periods as Period[]
}

test('earnings over time are by business day and by month, per kind, and add up to the total earned', async () => {
  await setRate(world.people, { userId: top.id, bps: 2_000 })
  const payer = await world.given({ referrerId: top.id })
  // One second before and at the start of a business day in UTC+7.
  for (const instant of ['2026-01-29T16:59:59Z', '2026-01-29T17:00:00Z', '2026-01-31T10:00:00Z']) {
    world.clock.set(instant)
    await payFee(world.people, { payerId: payer.id, usdt: '10' })
  }
  const days = await earningsOf('day')
  expect(days).toHaveLength(30)
  expect(days.filter(({ direct }) => direct !== '0.000000')).toEqual([
    { start: '2026-01-29', direct: '1.000000', indirect: '2.000000' },
    { start: '2026-01-30', direct: '1.000000', indirect: '2.000000' },
    { start: '2026-01-31', direct: '1.000000', indirect: '2.000000' },
  ])
  world.clock.set('2026-03-15T10:00:00Z')
  const months = await earningsOf('month')
  expect(months.map(({ start }) => start)).toEqual([
    ...['2025-04-01', '2025-05-01', '2025-06-01', '2025-07-01', '2025-08-01', '2025-09-01'],
    ...['2025-10-01', '2025-11-01', '2025-12-01', '2026-01-01', '2026-02-01', '2026-03-01'],
  ])
  expect(months.filter(({ indirect }) => indirect !== '0.000000')).toEqual([
    { start: '2026-01-01', direct: '3.000000', indirect: '6.000000' },
  ])
  // Earnings from before the chart's first period are not shown.
  world.clock.set('2027-06-15T10:00:00Z')
  expect((await earningsOf('month')).every(({ direct }) => direct === '0.000000')).toBe(true)
})

test('an unknown span is refused', async () => {
  const answer = await world.call('GET', '/user/referral-earnings?by=hour', { by: top })
  expect(answer.status).toBe(400)
})

type Entry = { state: string; queue_place: number | null }
type Wait = { approval_seconds: number; payment_seconds: number; claims: number }
const claimsOf = async (user: TestUser) => {
  const { body } = await world.call('GET', '/user/referral-claim-pool-history', { by: user })
  const [entry] = body.referral_claim_pool as Entry[]
  return { place: entry?.queue_place, state: entry?.state, wait: body.usual_wait as Wait | null }
}

test('a claim shows its position in the queue and how long claims currently take', async () => {
  const admin = await world.given({ role: 'admin' })
  const holders: { user: TestUser; id: string | undefined }[] = []
  for (let at = 0; at < 4; at += 1) {
    const user = await world.given()
    const payer = await world.given({ referrerId: user.id })
    await payFee(world.people, { payerId: payer.id, usdt: '10' })
    holders.push({ user, id: (await world.claim(user)).body.id })
  }
  const places = async () => {
    const found = await Promise.all(holders.map(({ user }) => claimsOf(user)))
    return found.map(({ state, place }) => [state, place])
  }
  const [first, second, third] = holders
  if (!first || !second || !third) throw new Error('not enough claims')
  expect(await places()).toEqual([1, 2, 3, 4].map((place) => ['requested', place]))
  expect((await claimsOf(first.user)).wait).toBeNull()

  world.clock.advanceMs(3_600_000)
  for (const { id } of [third, first]) await world.approve(admin, id)
  expect(await places()).toEqual([
    ['approved', 2],
    ['requested', 1],
    ['approved', 1],
    ['requested', 2],
  ])
  world.clock.advanceMs(90_000)
  await payClaim(world.people, { id: third.id, blockNumber: 101n })
  await world.decline(admin, { id: second.id, reason: 'Not now' })
  expect(await places()).toEqual([
    ['approved', 1],
    ['declined', null],
    ['paid', null],
    ['requested', 1],
  ])
  expect((await claimsOf(first.user)).wait).toEqual({
    approval_seconds: 3_600,
    payment_seconds: 90,
    claims: 1,
  })
})

test('each reward names the fee that it is a share of', async () => {
  const payer = await world.given({ referrerId: top.id })
  await payFee(world.people, { payerId: payer.id, usdt: '3.6' })
  const { body } = await world.call('GET', '/user/referral-reward-history', { by: top })
  expect(body.referral_rewards).toMatchObject([
    { fee_amount: '3.600000', rate_percentage: '10', reward_amount: '0.360000' },
  ])
})
