import { runAudit } from '../support/audit.ts'
import type { Product } from '../support/product.ts'
import { expect, test } from '../support/test.ts'
import type { OutsideHolder } from './outside-client.ts'
import type { EarningAnswer } from './published-shapes.ts'

/** These tests use only the published interfaces: HTTP calls, a Tron node's API and a BSC node's JSON-RPC. */
const PLAN = { code: 'PLAN-720', durationDays: 720 }

async function earningsOf(holder: OutsideHolder): Promise<EarningAnswer[]> {
  const reply = await holder.call<{ earnings: EarningAnswer[]; total: number }>(
    'GET',
    '/api/user/earnings?page=1&limit=10&sort_by=start_date&sort_order=desc',
  )
  expect(reply.total).toBe(reply.earnings.length)
  return reply.earnings
}

async function expectAuditToPass(product: Product): Promise<void> {
  const audit = await runAudit(product.stack.dataDir)
  expect(audit.code, audit.output).toBe(0)
}

test('[API-05, API-06, API-15, API-16, API-18, API-26, API-27, API-50, API-55, API-56, ENT-05, ENT-10, ENT-11, STATE-11, STATE-12] HALF from outside: register, lock, wait, claim, pay with the hash', async ({
  product,
}) => {
  const holder = await product.holder({ isRegistered: false })
  const registered = await holder.register('outside@example.org')
  expect(registered).toMatchObject({
    message: 'Successful registration',
    referrer_tron_address: null,
  })
  expect(registered.referral_code).toMatch(/^[A-Z0-9]{8}$/)
  const login = await holder.login()
  expect(login.user).toMatchObject({ tron_address: holder.address, role: 'user' })

  const quota = await holder.call<Record<string, string>>(
    'GET',
    `/api/user/earning-plans/${PLAN.code}/check-quota`,
  )
  expect(quota.remaining_daily_limit).toMatch(/^\d+\.\d{6}$/)
  expect(quota.remaining_annual_quota).toMatch(/^\d+\.\d{6}$/)
  const before = await holder.dctBalance()
  const hash = await holder.lock(PLAN, '50')
  await holder.call('POST', '/api/user/earnings', {
    plan_code: PLAN.code,
    amount: 50,
    trx_hash: hash,
  })
  await product.settle()
  const [earning] = await earningsOf(holder)
  expect(earning).toMatchObject({
    earning_plan_code: PLAN.code,
    tron_address: holder.address,
    total_locked_amount: '50.000000',
    total_reward: '108.000000',
    daily_reward: '0.150000',
    total_shared_reward: '0.000000',
    is_frozen: false,
    is_hash_confirmed: 'SUCCESS',
  })

  await product.advance(5)
  const claim = await holder.call<{ data: { transaction_hash: string } }>(
    'POST',
    '/api/user/claim',
    {
      earning_plan_code: PLAN.code,
      claim_type: 'HALF',
    },
  )
  expect(claim.data.transaction_hash).toMatch(/^(RTX-|[0-9a-f]{64}$)/)
  await product.settle()
  expect((await holder.dctBalance()) - before).toBe(-50_000_000n + 375_000n)
  const [open] = await holder.pendingFees()
  expect(open).toMatchObject({
    claim_type: 'HALF',
    pending_token_amount: '0.750000',
    unpaid_fee: '0.300000',
    is_paid: false,
    tx_hash_reward: null,
  })
  const paid = await holder.payUsdt(open?.unpaid_fee_usdt ?? '')
  const submitted = await holder.tryCall('POST', '/api/user/pay-claim-fee', {
    earning_plan_code: PLAN.code,
    tx_hash_usdt: paid,
  })
  expect([200, 202]).toContain(submitted.status)
  await product.settle()
  expect((await holder.dctBalance()) - before).toBe(-50_000_000n + 750_000n)
  const [done] = await holder.pendingFees()
  expect(done).toMatchObject({ is_paid: true, tx_hash_usdt: paid })
  expect(done?.tx_hash_reward).toMatch(/^[0-9a-f]{64}$/)
  expect(done?.claimed_trx_hash).toMatch(/^[0-9a-f]{64}$/)
  await expectAuditToPass(product)
})

test('[STATE-10, CONST-04] [T030] FULL from outside: a lock made without any API call, and a payment whose hash is not submitted', async ({
  product,
}) => {
  const holder = await product.holder()
  await holder.lock(PLAN, '20')
  await product.settle()
  expect(await earningsOf(holder)).toMatchObject([
    { total_locked_amount: '20.000000', is_hash_confirmed: 'SUCCESS' },
  ])
  await product.advance(12)
  const before = await holder.dctBalance()
  await holder.call('POST', '/api/user/claim', { earning_plan_code: PLAN.code, claim_type: 'FULL' })
  await product.settle()
  expect(await holder.dctBalance(), 'nothing before the fee').toBe(before)
  const [open] = await holder.pendingFees()
  expect(open).toMatchObject({
    claim_type: 'FULL',
    pending_token_amount: '0.720000',
    unpaid_fee: '0.288000',
  })
  await holder.payUsdt(open?.unpaid_fee_usdt ?? '')
  await product.settle()
  expect((await holder.dctBalance()) - before).toBe(720_000n)
  await expectAuditToPass(product)
})

test('[T032] a lock made before its address is registered becomes an earning upon registration', async ({
  product,
}) => {
  const holder = await product.holder({ isRegistered: false })
  await holder.lock(PLAN, '10')
  await product.settle()
  await product.advance(2)
  await holder.register('later@example.org')
  await holder.login()
  expect(await earningsOf(holder)).toMatchObject([
    {
      total_locked_amount: '10.000000',
      total_shared_reward: '0.060000',
      is_hash_confirmed: 'SUCCESS',
    },
  ])
})
