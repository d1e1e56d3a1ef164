import { beforeEach, expect, test } from 'vitest'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { expectPages } from '../../testing/expect-pages.ts'
import {
  type Answer,
  BSC_ADDRESS,
  createReferralApp,
  type Family,
  givenFamily,
  payClaim,
} from '../../testing/referral-app.ts'
import { payFee } from '../../testing/referrals.ts'
import { useWorld } from '../../testing/use-world.ts'
import type { TestUser } from '../../testing/users.ts'

const database = useTestDatabase(8)
const world = useWorld(() => createReferralApp(database.db))

let family: Family
beforeEach(async () => {
  await wipe(database.db)
  family = await givenFamily(world)
})

const get = (url: string, by: TestUser) => world.call('GET', url, { by })
const frame = (total: number) => ({ total, totalPages: 1, page: 1, limit: 10 })
/** Expects the whole list to equal its pages joined together. Rewards are read from both ends, so they need three rows. */
const expectPagesOf = (url: string, by: TestUser, items: string) =>
  expectPages(async (query) => (await get(`${url}?${query}`, by)).body, items)
const listOf = (answer: Answer, name: string) => answer.body[name] as Record<string, unknown>[]

test('[API-08, API-65, ENT-12] a holder sees their own downline, nearest level first', async () => {
  const { top, middle, leaf, payer } = family
  const node = (user: TestUser, level: number, locked: string, referrals: number) => ({
    level,
    tron_address: user.wallet.tronAddress,
    referral_code: user.referralCode,
    created_at: '2026-01-31T10:00:00.000Z',
    total_locked_amount: locked,
    total_referrals: referrals,
  })
  const answer = await get('/auth/referrals', top)
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    referrals: [
      node(middle, 1, '0.000000', 2),
      node(leaf, 2, '0.000000', 0),
      node(payer, 2, '12.500000', 0),
    ],
    ...frame(3),
  })
  const found = await get(
    `/auth/referrals?search=${payer.wallet.tronAddress}&sort_by=created_at`,
    top,
  )
  expect(found.body).toEqual({ referrals: [node(payer, 2, '12.500000', 0)], ...frame(1) })
  const second = await get('/auth/referrals?page=2&limit=2', top)
  expect(second.body).toEqual({
    referrals: [node(payer, 2, '12.500000', 0)],
    total: 3,
    totalPages: 2,
    page: 2,
    limit: 2,
  })
})

test('[API-47, API-64, ENT-12] an admin sees the direct referrals of any user, by address or id', async () => {
  const { admin, top, middle, leaf, payer } = family
  for (const name of [middle.wallet.tronAddress, `${middle.id}`]) {
    const answer = await get(`/admin/user-referrals/${name}`, admin)
    expect(answer.body).toMatchObject(frame(2))
    expect(listOf(answer, 'referrals')).toMatchObject([
      { tron_address: payer.wallet.tronAddress, level: 1, total_locked_amount: '12.500000' },
      { tron_address: leaf.wallet.tronAddress, level: 1 },
    ])
  }
  const answer = await get(`/admin/user-referrals/${top.id}?sort_by=total_referrals`, admin)
  expect(listOf(answer, 'referrals')).toMatchObject([
    { tron_address: middle.wallet.tronAddress, total_referrals: 2 },
  ])
  const search = `/admin/user-referrals/${middle.id}?search=${leaf.wallet.tronAddress}`
  expect((await get(search, admin)).body).toMatchObject({ total: 1, referrals: [{ level: 1 }] })
  expect((await get('/admin/user-referrals/999', admin)).status).toBe(404)
  expect((await get('/admin/user-referrals/nobody', admin)).status).toBe(400)
})

test('[API-48, API-66, ENT-18] an admin sees size and turnover of a downline under both names', async () => {
  const { admin, top } = family
  const data = { total_downline: 3, total_turnover: '12.500000' }
  const answer = await get(`/admin/downline-turnover/${top.wallet.tronAddress}`, admin)
  expect(answer).toEqual({ status: 200, body: { data, ...data } })
})

test('[API-09, API-61, ENT-13, ENT-14] a holder sees their own rewards, oldest first', async () => {
  const { top, middle, payer } = family
  const answer = await get('/user/referral-reward-history', top)
  expect(answer.body).toEqual({
    referral_rewards: [
      {
        id: expect.any(String),
        from_tron_address: payer.wallet.tronAddress,
        earning_plan_code: 'PLAN-360',
        reward_amount: '2.000000',
        reward_description: 'bonus referral level 2',
        fee_amount: '10.000000',
        rate_percentage: '20',
        created_at: '2026-01-31T10:00:00.000Z',
      },
      expect.objectContaining({
        reward_amount: '0.800000',
        created_at: '2026-02-02T10:00:00.000Z',
      }),
    ],
    ...frame(2),
  })
  const direct = await get('/user/referral-reward-history', middle)
  expect(listOf(direct, 'referral_rewards')).toMatchObject([
    { reward_description: 'direct downline reward', reward_amount: '1.000000' },
    { reward_description: 'direct downline reward', reward_amount: '0.400000' },
  ])
  await expectPagesOf('/user/referral-reward-history', top, 'referral_rewards')
})

test.each([
  ['search=level 2', 2],
  ['search=fee earning', 2],
  ['search=fee referral', 0],
  ['search=plan-3', 2],
  ['search=%25', 0],
  ['start_date=2026-02-01', 1],
  ['end_date=2026-01-31', 1],
  ['start_date=2026-01-31&end_date=2026-02-02', 2],
  ['start_date=2026-02-03', 0],
])('[API-60, API-61] an admin and the holder can find rewards by %s', async (query, total) => {
  const { admin, top } = family
  for (const [url, by] of [
    [`/admin/referral-reward-history/${top.id}`, admin],
    ['/user/referral-reward-history', top],
  ] as const) {
    const answer = await get(`${url}?${query}`, by)
    expect(answer.body).toMatchObject({ total })
    expect(listOf(answer, 'referral_rewards')).toHaveLength(total)
  }
})

test('[API-44, API-60] an admin sees the rewards of any user, latest first', async () => {
  const { admin, top, payer } = family
  const url = `/admin/referral-reward-history/${top.wallet.tronAddress}`
  const answer = await get(url, admin)
  expect(answer.body).toMatchObject(frame(2))
  expect(listOf(answer, 'referral_rewards').map((one) => one.reward_amount)).toEqual([
    '0.800000',
    '2.000000',
  ])
  const byPayer = await get(`${url}?search=${payer.wallet.tronAddress.slice(0, 8)}`, admin)
  expect(byPayer.body).toMatchObject({ total: 2 })
  const byOther = await get(`${url}?search=${family.leaf.wallet.tronAddress}`, admin)
  expect(byOther.body).toMatchObject({ total: 0 })
  await payFee(world.people, { payerId: family.leaf.id, usdt: '30' })
  await expectPagesOf(url, admin, 'referral_rewards')
})

test.each(['reward_amount', 'reward_description', 'from_tron_address', 'earning_plan_code'])(
  'rewards are sorted by %s in both directions',
  async (sort_by) => {
    const { top, leaf } = family
    await payFee(world.people, { payerId: leaf.id, usdt: '30' })
    await payFee(world.people, { payerId: family.middle.id, usdt: '2' })
    const read = async (order: string) => {
      const url = `/user/referral-reward-history?sort_by=${sort_by}&sort_order=${order}`
      const found = listOf(await get(url, top), 'referral_rewards')
      return found.map((one) => (sort_by === 'reward_amount' ? Number(one[sort_by]) : one[sort_by]))
    }
    const up = await read('asc')
    const sorted = [...up].sort((a, b) => ((a as string) < (b as string) ? -1 : a === b ? 0 : 1))
    expect(up).toEqual(sorted)
    expect(await read('desc')).toEqual([...sorted].reverse())
  },
)

test('[API-11, API-74, ENT-15] the summary contains both kinds: earned, claimed, unclaimed', async () => {
  const { top, middle } = family
  await world.claim(middle)
  await payFee(world.people, { payerId: family.leaf.id, usdt: '3' })
  const nothing = '0.000000'
  expect(await get('/user/referral-summary', middle)).toEqual({
    status: 200,
    body: {
      referral_summary: {
        tron_address: middle.wallet.tronAddress,
        total_direct_reward: '1.700000',
        total_direct_claimed: '1.400000',
        total_direct_unclaimed: '0.300000',
        total_indirect_reward: nothing,
        total_indirect_claimed: nothing,
        total_indirect_unclaimed: nothing,
        waiting_direct: '1.400000',
        waiting_indirect: nothing,
      },
    },
  })
  expect((await get('/user/referral-summary', top)).body).toMatchObject({
    referral_summary: { total_indirect_reward: '3.400000', total_direct_reward: nothing },
  })
})

test('[API-12, API-75] saving a claim returns a message and stores its bonus type and USDT address', async () => {
  const { middle, top } = family
  const saved = await world.claim(middle)
  expect(saved).toEqual({
    status: 200,
    body: {
      message: 'Your claim of 1.400000 USDT is saved. It is sent once an admin has approved it.',
      id: expect.any(String),
      total_accumulated: '1.400000',
    },
  })
  const otherAddress = `0x${'12'.repeat(20)}`
  const other = await world.claim(top, { type: 'non-direct', usdt_address: otherAddress })
  expect(other.body.message).toMatch(/^Your claim of 2\.800000 USDT is saved\./)
  for (const [by, type, address] of [
    [middle, 'direct bonus', BSC_ADDRESS],
    [top, 'non-direct', otherAddress],
  ] as const) {
    const [claim] = listOf(
      await get('/user/referral-claim-pool-history', by),
      'referral_claim_pool',
    )
    expect([claim?.bonus_type, `${claim?.usdt_address}`.toLowerCase()]).toEqual([type, address])
  }
})

async function givenClaims() {
  const { admin, top, middle } = family
  const direct = await world.claim(middle)
  world.clock.set('2026-02-05T10:00:00Z')
  const indirect = await world.claim(top, { type: 'non-direct' })
  await world.approve(admin, direct.body.id)
  return { direct: direct.body.id ?? '', indirect: indirect.body.id ?? '' }
}

test('[API-10, API-63, ENT-16, ENT-17] a holder sees their own claims with all fields', async () => {
  const { middle, top, admin } = family
  const { direct } = await givenClaims()
  const answer = await get('/user/referral-claim-pool-history', middle)
  expect(answer.body).toEqual({
    referral_claim_pool: [
      {
        id: direct,
        created_at: '2026-02-02T10:00:00.000Z',
        tron_address: middle.wallet.tronAddress,
        email: 'holder@example.com',
        total_accumulated: '1.400000',
        last_claim_date: '2026-02-02T10:00:00.000Z',
        usdt_address: expect.stringMatching(new RegExp(BSC_ADDRESS, 'i')),
        tx_hash_usdt: null,
        approve_at: '2026-02-05T10:00:00.000Z',
        approve_by: admin.wallet.tronAddress,
        bonus_type: 'direct bonus',
        state: 'approved',
        first_approve_by: null,
        end_reason: null,
        queue_place: 1,
      },
    ],
    ...frame(1),
    usual_wait: null,
  })
  const found = async (query: string) =>
    (await get(`/user/referral-claim-pool-history?${query}`, middle)).body.total
  expect(await found('search=direct bonus')).toBe(1)
  expect(await found('search=non-direct')).toBe(0)
  expect(await found('start_date=2026-02-02&end_date=2026-02-02')).toBe(1)
  expect(await found('start_date=2026-02-03')).toBe(0)
  expect(await found('end_date=2026-02-01')).toBe(0)
  const other = await get('/user/referral-claim-pool-history', top)
  expect(listOf(other, 'referral_claim_pool')).toMatchObject([
    { bonus_type: 'non-direct', state: 'requested', approve_at: null, approve_by: null },
  ])
  const hash = await payClaim(world.people, { id: direct, blockNumber: 101n })
  const paid = await get('/user/referral-claim-pool-history', middle)
  expect(listOf(paid, 'referral_claim_pool')).toMatchObject([
    { state: 'paid', tx_hash_usdt: hash, queue_place: null },
  ])
})

test('[API-45, API-62] an admin sees the claims of any user', async () => {
  const { admin, top } = family
  const { indirect } = await givenClaims()
  const url = `/admin/referral-claim-pool-history/${top.wallet.tronAddress}`
  const answer = await get(url, admin)
  expect(answer.body).toMatchObject(frame(1))
  expect(listOf(answer, 'referral_claim_pool')).toMatchObject([{ id: indirect }])
  expect((await get(`${url}?end_date=2026-02-04`, admin)).body).toMatchObject({ total: 0 })
  expect((await get(`${url}?start_date=2026-02-05`, admin)).body).toMatchObject({ total: 1 })
  expect((await get(`${url}?start_date=2026-02-06`, admin)).body).toMatchObject({ total: 0 })
  expect((await get(`${url}?search=nothing of this name`, admin)).body).toMatchObject({ total: 0 })
  expect((await get(`${url}?search=non-direct`, admin)).body).toMatchObject({ total: 1 })
})

test('[API-42, API-72, ENT-16, ENT-17] the claim pool can be filtered by either name of the type', async () => {
  const { admin } = family
  const { direct, indirect } = await givenClaims()
  const ids = async (query: string) => {
    const answer = await get(`/admin/referral-claim-pool?${query}`, admin)
    expect(answer.status).toBe(200)
    return listOf(answer, 'claim_pool').map(({ id }) => id)
  }
  expect(await ids('')).toEqual([indirect, direct])
  expect(await ids('bonus_type=direct bonus')).toEqual([direct])
  expect(await ids('bonus_type=non-direct')).toEqual([indirect])
  expect(await ids('bonus_type=non-direct bonus')).toEqual([indirect])
  expect(await ids('sort_by=created_at&sort_order=asc')).toEqual([direct, indirect])
  expect(await ids('start_date=2026-02-05')).toEqual([indirect])
  expect(await ids('end_date=2026-02-04')).toEqual([direct])
  const wrong = await get('/admin/referral-claim-pool?bonus_type=other', admin)
  expect(wrong).toMatchObject({ status: 400, body: { code: 'BONUS_TYPE_UNKNOWN' } })
})

test('[API-72] the claim pool is searched by Tron address, e-mail and hash', async () => {
  const { admin, top, middle } = family
  const { direct, indirect } = await givenClaims()
  const hash = await payClaim(world.people, { id: direct, blockNumber: 101n })
  const ids = async (search: string) => {
    const answer = await get(`/admin/referral-claim-pool?search=${search}`, admin)
    expect(answer.body.total).toBe(listOf(answer, 'claim_pool').length)
    return listOf(answer, 'claim_pool').map(({ id }) => id)
  }
  expect(await ids(top.wallet.tronAddress)).toEqual([indirect])
  expect(await ids(middle.wallet.tronAddress.slice(0, 10))).toEqual([direct])
  expect(await ids(hash)).toEqual([direct])
  expect(await ids(hash.slice(0, 13))).toEqual([direct])
  expect(await ids(hash.slice(-7).toUpperCase())).toEqual([direct])
  expect(await ids(middle.wallet.tronAddress.slice(-6))).toEqual([direct])
  expect(await ids(`${BSC_ADDRESS.slice(0, 5)}...${BSC_ADDRESS.slice(-5)}`)).toEqual([
    indirect,
    direct,
  ])
  expect(await ids('top@')).toEqual([indirect])
  expect(await ids(BSC_ADDRESS)).toEqual([indirect, direct])
  expect(await ids('%25')).toEqual([])
})

test('[API-42] the claim pool shows approved and unpaid claims, counts those to approve, and is paged', async () => {
  await givenClaims()
  const { body } = await get('/admin/referral-claim-pool', family.admin)
  const unapproved = { 'direct bonus': 0, 'non-direct': 1 }
  expect(body).toMatchObject({ ...frame(2), approved_unpaid: '1.400000', unapproved })
  await expectPagesOf('/admin/referral-claim-pool', family.admin, 'claim_pool')
})

test('[API-10, API-45] the claims of one user are paged, for that user and for admins', async () => {
  const { admin, middle } = family
  for (const reason of ['Once', 'Twice']) {
    const { id = '' } = (await world.claim(middle)).body
    await world.decline(admin, { id, reason })
  }
  const items = 'referral_claim_pool'
  await expectPagesOf('/user/referral-claim-pool-history', middle, items)
  await expectPagesOf(`/admin/referral-claim-pool-history/${middle.id}`, admin, items)
})

test.each(['created_at', 'tron_address', 'last_claim_date'])(
  '[API-72] the claim pool is sorted by %s in both directions',
  async (sort_by) => {
    const { admin } = family
    await givenClaims()
    const read = async (order: string) => {
      const url = `/admin/referral-claim-pool?sort_by=${sort_by}&sort_order=${order}`
      return listOf(await get(url, admin), 'claim_pool').map((one) => String(one[sort_by]))
    }
    const up = await read('asc')
    expect(up).toEqual([...up].sort())
    expect(await read('desc')).toEqual([...up].reverse())
  },
)

test('[API-43, API-73] an approval takes the id and returns a message', async () => {
  const { admin, middle } = family
  const { body } = await world.claim(middle)
  for (const [id, status] of [
    [Number(body.id), 200],
    [body.id, 409],
  ] as const) {
    const call = { by: admin, payload: { id } }
    const answer = await world.call('PUT', '/admin/referral-claim-approval', call)
    expect(answer).toMatchObject({ status, body: { message: expect.any(String) } })
  }
})
