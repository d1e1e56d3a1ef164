import { encodeCall } from '@dct/chain-clients/senders/index'
import { rewardPoolAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTermsOnChain } from '../../main/chains/chains.ts'
import { everything } from '../../testing/all-tables.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import { call, devnet } from '../../testing/real-claims.ts'
import { addressesOf, callTron } from '../../testing/sender-chains.ts'
import { bearer, type TestUser } from '../../testing/users.ts'

const host = useChainHost()
let real: RealApp
let admin: TestUser
beforeAll(async () => {
  real = await startRealApp(host())
  admin = await real.givenUser({ role: 'admin' })
}, 120_000)
afterAll(() => real.stop())

const TERMS = {
  plan_code: 'PLAN-90',
  name: 'Ninety days',
  total_reward: '1000',
  duration_days: 90,
  total_percentage: '18.25',
  daily_limit: '200',
  is_accumulation_active: false,
  is_active: true,
}

const check = (terms: Partial<typeof TERMS>) => ask('check', terms)

async function ask(what: 'check' | 'open-on-chain', terms: Partial<typeof TERMS>) {
  const url = `/api/admin/earning-plans/${what}`
  const payload = { ...TERMS, ...terms }
  const reply = await real.app.inject({ method: 'POST', url, payload, headers: bearer(admin) })
  return { status: reply.statusCode, body: reply.json() }
}

function callPool(caller: 'owner' | 'operator', data: `0x${string}`) {
  const key = host().serviceKeys[caller].tronPrivateKey
  return callTron(host(), key, { contract: addressesOf(host()).rewardPool, data })
}

test('terms beyond the limits of the contract’s owner are refused before the wallet funds them', async () => {
  await callPool('owner', encodeCall(rewardPoolAbi, 'setTermLimits', [50n, 30n]))
  expect(await check({ duration_days: 30, total_percentage: '15' })).toMatchObject({ status: 200 })
  expect(await check({ duration_days: 30, total_percentage: '15.01' })).toMatchObject({
    status: 422,
    body: {
      code: 'PLAN_TERMS_INVALID',
      message:
        "The field 'total_percentage' must be at most 15 for 30 days, as the contract's owner requires.",
      details: { field: 'total_percentage' },
    },
  })
  expect(await check({ duration_days: 29, total_percentage: '1' })).toMatchObject({
    status: 422,
    body: {
      code: 'PLAN_TERMS_INVALID',
      message: "The field 'duration_days' must be at least 30, as the contract's owner requires.",
      details: { field: 'duration_days' },
    },
  })
})

test('a code that was opened on chain under other terms is refused before the wallet funds it', async () => {
  await callPool('operator', encodeCall(rewardPoolAbi, 'openPlan', ['SPOILT', 30n, 1_500n]))
  expect(await check({ plan_code: 'SPOILT' })).toMatchObject({
    status: 422,
    body: {
      code: 'PLAN_TERMS_INVALID',
      message:
        "The field 'plan_code' must be different: SPOILT was opened on chain for 30 days at 15 %.",
      details: { field: 'plan_code' },
    },
  })
  const same = { plan_code: 'SPOILT', duration_days: 30, total_percentage: '15' }
  expect(await check(same)).toMatchObject({ status: 200 })
})

const onChain = (code: string) => readTermsOnChain(real.context.chains, code)

/** Announces a plan while the service's loops are running, as in production. */
async function open(terms: Partial<typeof TERMS>) {
  const asked = ask('open-on-chain', terms)
  let isAnswered = false
  void asked.finally(() => {
    isAnswered = true
  })
  while (!isAnswered) await devnet(real, 'settle')
  return asked
}

test('[T082] the terms of a plan are fixed on chain before its wallet funds it, and never change', async () => {
  const terms = { plan_code: 'ANNOUNCED' }
  expect(await onChain('ANNOUNCED')).toMatchObject({ fixed: undefined })
  expect(await open(terms)).toMatchObject({ status: 200 })
  expect(await onChain('ANNOUNCED')).toMatchObject({
    fixed: { durationDays: 90, totalBps: 1_825n },
  })
  await host().control.fundPlan({ planCode: 'ANNOUNCED', amount: '1000' })
  const other = encodeCall(rewardPoolAbi, 'openPlan', ['ANNOUNCED', 30n, 1_500n])
  await expect(callPool('operator', other)).rejects.toThrow('REVERT')
  expect(await open(terms)).toMatchObject({ status: 200 })
  expect(await open({ ...terms, duration_days: 91 })).toMatchObject({
    status: 422,
    body: { code: 'PLAN_TERMS_INVALID', details: { field: 'plan_code' } },
  })
})

test('a plan not open for joins is closed again once its terms are fixed', async () => {
  expect(await open({ plan_code: 'LATER', is_active: false })).toMatchObject({ status: 200 })
  await devnet(real, 'settle')
  const calls = await everything(real.context.db)
    .selectFrom('operator_call')
    .select(['kind', 'state'])
    .where('subject', '=', 'plan:LATER')
    .orderBy('id')
    .execute()
  expect(calls).toEqual([
    { kind: 'openPlan', state: 'final' },
    { kind: 'closePlan', state: 'final' },
  ])
})

test('a plan whose opening an admin has given up can be opened again', async () => {
  const terms = { plan_code: 'AGAIN' }
  const first = ask('open-on-chain', terms)
  const opening = () =>
    everything(real.context.db)
      .selectFrom('operator_call')
      .select('id')
      .where('subject', '=', 'plan:AGAIN')
      .executeTakeFirst()
  await expect.poll(opening).toBeDefined()
  const payload = { id: `${(await opening())?.id}` }
  const url = '/admin/operator-calls/give-up'
  expect(await call(real, admin, { method: 'POST', url, payload })).toMatchObject({ status: 200 })
  expect(await open(terms)).toMatchObject({ status: 200 })
  expect(await first).toMatchObject({ status: 200 })
})
