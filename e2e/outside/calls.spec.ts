import { claimed, joined, openFee, PLAN_360, PLAN_720, paid } from '../support/scenes.ts'
import { expect, test } from '../support/test.ts'
import type { OutsideHolder } from './outside-client.ts'

type Row = Record<string, unknown>
const DECIMAL = /^\d+\.\d{6}/

let holder: OutsideHolder
let today: string
test.beforeAll(async ({ product }) => {
  holder = await product.holder({ email: 'calls@example.org' })
  await joined(product, holder)
  await joined(product, holder, { plan: PLAN_360 })
  await product.advance(5)
  await paid(product, holder, await claimed(product, holder, { type: 'HALF' }))
  today = await product.advance(1)
})

const get = <T = Row>(path: string) => holder.call<T>('GET', `/api${path}`)

function expectFields(row: Row | undefined, fields: readonly string[]) {
  expect(Object.keys(row ?? {})).toEqual(expect.arrayContaining([...fields]))
}

test('[API-01] requests and responses are JSON', async ({ product }) => {
  for (const path of ['/api/config', '/api/auth/me', '/api/user/earnings', '/api/no-such-call']) {
    const { headers } = await holder.tryCall('GET', path)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  }
  const form = await fetch(`${product.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: 'tron_address=T',
  })
  expect(form.status).toBe(415)
})

test('[API-07, API-76, ENT-01, ENT-02] the signed-in user', async ({ admin }) => {
  const { user } = await get<{ user: Row }>('/auth/me')
  expectFields(user, [
    'tron_address',
    'email',
    'referrer_code',
    'role',
    'referral_code',
    'referrer_tron_address',
    'created_at',
    'total_referrals',
    'referral_reward_percentage',
    'total_referral_omset',
    'total_direct_reward',
    'total_indirect_reward',
    'total_direct_claimed',
    'total_indirect_claimed',
    'total_direct_unclaimed',
    'total_indirect_unclaimed',
  ])
  expect(user).toMatchObject({
    tron_address: holder.address,
    email: 'calls@example.org',
    role: 'user',
  })
  const other = await admin.call<{ user: Row }>('GET', '/api/auth/me')
  expect(other.user.role).toBe('admin')
})

test('[ENT-03] an address has one account', async () => {
  const again = await holder.tryCall('POST', '/api/auth/challenge', {
    tron_address: holder.address,
    purpose: 'register',
    email: 'second@example.org',
  })
  expect(again).toMatchObject({ status: 409, body: { code: 'ALREADY_REGISTERED' } })
  const { user } = await get<{ user: Row }>('/auth/me')
  expect(user.email).toBe('calls@example.org')
})

test('[API-13, API-14, API-51, API-52, ENT-04, CONST-07] the plans', async () => {
  const page = await get<{ earning_plans: Row[]; total: number }>(
    '/user/earning-plans?page=1&limit=10&sort_by=created_at&sort_order=desc',
  )
  expect(page.total).toBeGreaterThanOrEqual(2)
  const list = await get<{ earning_plans: Row[] }>('/user/earning-plan-lists')
  for (const plans of [page.earning_plans, list.earning_plans]) {
    for (const plan of plans) {
      expectFields(plan, [
        'plan_code',
        'name',
        'total_reward',
        'duration_days',
        'total_percentage',
        'daily_limit',
        'max_token_allowed',
        'remaining_daily_quota',
        'remaining_annual_quota',
        'is_accumulation_active',
        'is_active',
      ])
    }
  }
  const first = list.earning_plans.filter(({ plan_code }) =>
    ['PLAN-360', 'PLAN-720'].includes(String(plan_code)),
  )
  const pool = first.reduce((sum, { total_reward }) => sum + Number(total_reward), 0)
  expect(pool).toBe(20_000)
})

test('[API-18, API-53, ENT-05, ENT-06, CONST-01, CONST-02, CONST-03] the earnings, one distribution a day', async () => {
  const { earnings, total } = await get<{ earnings: Row[]; total: number }>(
    '/user/earnings?page=1&limit=10&search=&sort_by=start_date&sort_order=desc',
  )
  expect(total).toBe(2)
  for (const earning of earnings) {
    expectFields(earning, [
      'earning_plan_code',
      'start_date',
      'end_date',
      'tron_address',
      'total_locked_amount',
      'total_reward',
      'total_shared_reward',
      'daily_reward',
      'total_unclaimed',
      'reward_distribution_count',
      'is_frozen',
      'is_hash_confirmed',
    ])
    expect(['SUCCESS', 'WAITING', 'FAILED']).toContain(earning.is_hash_confirmed)
  }
  const of = (code: string) => earnings.find((one) => one.earning_plan_code === code)
  // Per cycle 0.2 % and 0.3 % of 50 DCT, in total 72 % and 216 %, six days after the lock.
  expect(of('PLAN-360')).toMatchObject({
    daily_reward: '0.100000',
    total_reward: '36.000000',
    total_shared_reward: '0.600000',
  })
  expect(of('PLAN-720')).toMatchObject({
    daily_reward: '0.150000',
    total_reward: '108.000000',
    total_shared_reward: '0.900000',
  })
  const only = await get<{ earnings: Row[] }>('/user/earnings?earning_plan_code=PLAN-360')
  expect(only.earnings.map((one) => one.earning_plan_code)).toEqual(['PLAN-360'])
})

test('[API-19, API-49, ENT-07] the claimable rewards', async () => {
  const { claimable_rewards } = await get<{ claimable_rewards: Row[] }>('/user/claimable-reward')
  expect(claimable_rewards.length).toBe(2)
  for (const reward of claimable_rewards) {
    expectFields(reward, ['earning_plan_code', 'total_claimable', 'estimated_fee_usdt'])
    expect(reward.total_claimable).toMatch(DECIMAL)
  }
})

test('[API-23, API-22, ENT-08] the rewards, day by day', async () => {
  const reply = await get<{ rewards: Row[]; totalPages: number }>(
    '/user/reward-distribution-history?page=1&limit=10',
  )
  expect(reply.totalPages).toBe(2)
  expect(reply.rewards).toHaveLength(10)
  expect(reply.rewards[0]?.reward_date).toBe(today)
  for (const reward of reply.rewards) {
    expectFields(reward, ['reward_date', 'earning_plan_code', 'reward_amount'])
  }
  const whole = await holder.tryCall('GET', '/api/user/user-reward-history')
  expect(whole.status).toBe(200)
})

test('[API-24, ENT-10, STATE-17, CONST-08] the fees; a paid one shows its deadline', async () => {
  const { pending_fees } = await get<{ pending_fees: Row[] }>(
    '/user/pending-claim-fees?page=1&limit=10&search=PLAN&sort_by=claim_date&sort_order=desc',
  )
  const [fee] = pending_fees
  expectFields(fee, [
    'earning_plan_code',
    'claim_type',
    'code_claim',
    'pending_token_amount',
    'unpaid_fee',
    'unpaid_fee_usdt',
    'is_paid',
    'deadline',
    'tx_hash_usdt',
    'tx_hash_reward',
    'claimed_amount',
    'claimed_trx_hash',
    'claim_date',
  ])
  expect(fee).toMatchObject({ claim_type: 'HALF', is_paid: true })
  expect(fee?.tx_hash_reward).toMatch(/^[0-9a-f]{64}$/)
  const promised = Date.parse(String(fee?.deadline)) - Date.parse(String(fee?.paid_at))
  expect(promised).toBe(24 * 3_600_000)
})

test('[API-25, API-28, API-21, ENT-09] the claims and their early halves', async () => {
  const reply = await get<{ claims: Row[]; totalPages: number }>(
    '/user/claim-history?page=1&limit=10&plan_code=PLAN-720&sort_by=claim_date&sort_order=desc',
  )
  expect(reply.totalPages).toBe(1)
  expectFields(reply.claims[0], [
    'claim_date',
    'plan_code',
    'earning_plan_code',
    'claimed_amount',
    'pending_token_amount',
    'claim_type',
    'is_paid',
    'unpaid_fee_usdt',
    'tx_hash_usdt',
    'tx_hash_reward',
    'trx_hash',
  ])
  const early = await get<{ claimed_rewards: Row[] }>('/user/get-claimed-rewards/PLAN-720')
  expect(early.claimed_rewards).toMatchObject([{ claim_type: 'HALF', claimed_amount: '0.375000' }])
  expect((await holder.tryCall('GET', '/api/user/user-claim-history')).status).toBe(200)
})

test('[API-20] the history of earnings', async () => {
  expect((await holder.tryCall('GET', '/api/user/user-earning-history')).status).toBe(200)
})

test('[API-04, CONST-09, CONST-10] lists start at page 1, have ten rows per page, and report their size', async () => {
  for (const path of ['earnings', 'pending-claim-fees', 'claim-history', 'earning-plans']) {
    const reply = await get(`/user/${path}`)
    expect(reply).toMatchObject({ page: 1, limit: 10 })
    expectFields(reply, ['total', 'totalPages'])
    expect((await holder.tryCall('GET', `/api/user/${path}?page=0`)).status).toBe(400)
  }
})

test('[CONST-06] thirty cycles without a claim freeze an earning', async ({ product }) => {
  const idle = await product.holder()
  await joined(product, idle, { plan: PLAN_720, amount: '10' })
  const first = async () => {
    const reply = await idle.call<{ earnings: Row[] }>('GET', '/api/user/earnings')
    return reply.earnings[0]
  }
  await product.advance(29)
  expect(await first()).toMatchObject({ reward_distribution_count: 29, is_frozen: false })
  await product.advance(1)
  expect(await first()).toMatchObject({ reward_distribution_count: 30, is_frozen: true })
})

test('[FEE-19] too little or too much settles nothing; the exact amount does', async ({
  product,
}) => {
  const payer = await product.holder()
  await joined(product, payer)
  await product.advance(4)
  const fee = await claimed(product, payer, { type: 'FULL' })
  for (const off of ['0.01', `1${fee.unpaid_fee_usdt}`]) {
    await payer.payUsdt(off)
    await product.settle()
    expect(await openFee(payer, 'PLAN-720')).toMatchObject({ is_paid: false })
  }
  const claim = await payer.call<{ claims: Row[] }>('GET', '/api/user/claim-history')
  expect(String(claim.claims[0]?.trx_hash)).toMatch(/^RW-/)
  await paid(product, payer, fee)
  expect(await payer.pendingFees()).toMatchObject([{ is_paid: true }])
})

test('the faucet accepts amounts as strings and as JSON numbers; settling needs no body', async ({
  product,
}) => {
  const holder = await product.holder({ isRegistered: false })
  const before = await holder.dctBalance()
  const post = (path: string, body?: object) =>
    fetch(`${product.url}/devnet/${path}`, {
      method: 'POST',
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  expect((await post('faucet', { tron_address: holder.address, dct: '1.5' })).status).toBe(200)
  expect((await post('faucet', { tron_address: holder.address, dct: 2 })).status).toBe(200)
  expect(await holder.dctBalance()).toBe(before + 3_500_000n)
  const refused = await post('faucet', { tron_address: holder.address, dct: -2 })
  expect(refused.status).toBe(400)
  expect((await post('settle')).status).toBe(200)
  expect((await post('settle', {})).status).toBe(200)
})
