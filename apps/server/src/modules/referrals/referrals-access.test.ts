import { beforeEach, expect, test } from 'vitest'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import {
  type Answer,
  BSC_ADDRESS,
  createReferralApp,
  type Family,
  givenFamily,
} from '../../testing/referral-app.ts'
import { useWorld } from '../../testing/use-world.ts'
import type { TestUser } from '../../testing/users.ts'

const database = useTestDatabase(20)
const world = useWorld(() => createReferralApp(database.db))
let family: Family
beforeEach(async () => {
  await wipe(database.db)
  family = await givenFamily(world)
})

const get = (url: string, by: TestUser) => world.call('GET', url, { by })
const listOf = (answer: Answer, name: string) => answer.body[name] as Record<string, unknown>[]

test('[T011] users can neither see nor claim rewards of others', async () => {
  const { middle, leaf } = family
  for (const url of ['/user/referral-reward-history', '/user/referral-claim-pool-history']) {
    await world.claim(middle)
    expect((await get(`${url}?search=${middle.wallet.tronAddress}`, leaf)).body).toMatchObject({
      total: 0,
    })
    expect((await get(`${url}?user_id=${middle.id}`, leaf)).status).toBe(400)
  }
  expect((await get('/auth/referrals', leaf)).body).toMatchObject({ referrals: [], total: 0 })
})

test('[ROLE-16] holders cannot use admin routes, nor admins holder routes, nor anyone without a session', async () => {
  const { admin, top } = family
  const adminCalls = [
    ['GET', `/admin/user-referrals/${top.id}`],
    ['GET', `/admin/downline-turnover/${top.id}`],
    ['GET', `/admin/referral-reward-history/${top.id}`],
    ['GET', `/admin/referral-claim-pool-history/${top.id}`],
    ['GET', '/admin/referral-claim-pool'],
    ['PUT', '/admin/referral-claim-approval'],
    ['PUT', '/admin/referral-claim-decline'],
    ['PUT', '/admin/referral-claim-return'],
    ['PUT', '/admin/update-referral-reward'],
  ] as const
  const holderCalls = [
    ['GET', '/user/referral-summary'],
    ['GET', '/user/referral-tree'],
    ['GET', '/user/referral-earnings'],
    ['GET', '/user/referral-reward-history'],
    ['GET', '/user/referral-claim-pool-history'],
    ['POST', '/user/save-referral-claim-pool'],
  ] as const
  const payload = (method: string) => (method === 'GET' ? {} : { payload: {} })
  for (const [method, url] of adminCalls) {
    expect((await world.call(method, url, { by: top, ...payload(method) })).status).toBe(403)
    expect((await world.call(method, url, payload(method))).status).toBe(401)
  }
  for (const [method, url] of holderCalls) {
    expect((await world.call(method, url, { by: admin, ...payload(method) })).status).toBe(403)
    expect((await world.call(method, url, payload(method))).status).toBe(401)
  }
})

test.each([
  ['/auth/referrals', 'sort_by=id;drop table app_user', 'BAD_SORT'],
  ['/auth/referrals', 'sort_by=total_locked_amount', 'BAD_SORT'],
  ['/user/referral-reward-history', 'sort_order=sideways', 'BAD_REQUEST'],
  ['/user/referral-reward-history', 'limit=101', 'BAD_REQUEST'],
  ['/user/referral-reward-history', 'page=0', 'BAD_REQUEST'],
  ['/user/referral-claim-pool-history', 'start_date=2026-02-02&end_date=2026-02-01', 'BAD_DATE'],
  ['/user/referral-claim-pool-history', 'end_date=yesterday', 'BAD_DATE'],
  ['/user/referral-reward-history', 'search=%00', 'BAD_REQUEST'],
  ['/auth/referrals', 'level=1', 'UNKNOWN_FIELD'],
])('[T090, T091] %s?%s is refused', async (url, query, code) => {
  expect(await get(`${url}?${query}`, family.top)).toMatchObject({ status: 400, body: { code } })
})

test('a search with a NUL is refused', async () => {
  const answer = await get('/auth/referrals?search=%00', family.top)
  expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } })
})

test('a search in another alphabet matches no user in a downline', async () => {
  for (const search of ['%D0%A2', "'%20or%201=1"]) {
    const answer = await get(`/auth/referrals?search=${search}`, family.top)
    expect(answer).toMatchObject({ status: 200, body: { referrals: [], total: 0 } })
  }
})

test('an address is shown with its checksum, however it was entered', async () => {
  const { body } = await world.claim(family.middle, {
    usdt_address: BSC_ADDRESS.toUpperCase().replace('0X', '0x'),
  })
  expect(body.id).toBeDefined()
  const answer = await get('/user/referral-claim-pool-history', family.middle)
  expect(listOf(answer, 'referral_claim_pool')[0]?.usdt_address).toBe(
    '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB',
  )
})
