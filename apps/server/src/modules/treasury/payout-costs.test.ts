import { randomBytes } from 'node:crypto'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { formatUnits, parseAmount } from '@dct/money'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { everything } from '../../testing/all-tables.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import { call, devnet, givenRealHolder } from '../../testing/real-claims.ts'
import type { TestUser } from '../../testing/users.ts'

const host = useChainHost()
let real: RealApp
let admin: TestUser
beforeAll(async () => {
  real = await startRealApp(host())
  await everything(real.context.db)
    .insertInto('setting_change')
    .values({ kind: 'trx_price', value: parseAmount('USDT', '2'), at: real.context.clock.now() })
    .execute()
  admin = await real.givenUser({ role: 'admin' })
}, 120_000)
afterAll(() => real.stop())

const money = async () => (await call(real, admin, { url: '/admin/money' })).body

/** The costs of transactions in sun, from the node's receipts. */
async function feesOf(hashes: readonly Buffer[]): Promise<bigint> {
  const fees = await Promise.all(
    hashes.map(async (hash) => {
      const reply = await fetch(`${host().tronUrl}/walletsolidity/gettransactioninfobyid`, {
        method: 'POST',
        body: JSON.stringify({ value: hash.toString('hex') }),
      })
      return BigInt(((await reply.json()) as { fee: number }).fee)
    }),
  )
  return fees.reduce((sum, fee) => sum + fee, 0n)
}

const wonAttempts = () =>
  everything(real.context.db)
    .selectFrom('send_attempt')
    .select(['payout_id', 'tx_hash'])
    .where('state', '=', 'confirmed')
    .where('chain', '=', 'TRON')
    .execute()

test('the cost of payouts from their receipts is shown next to the income from the energy fee, with a warning', async () => {
  const holder = await givenRealHolder(real, host())
  await devnet(real, 'settle')
  expect((await money()).costs).toMatchObject({
    reward_payouts: { count: 0, spent: '0.000000', each: null, each_usdt: null },
    energy_fees: { count: 0, brought: '0.000000' },
  })
  await devnet(real, 'advance', { days: 10 })
  const payload = { earning_plan_code: 'PLAN-360', claim_type: 'HALF' }
  await call(real, holder, { method: 'POST', url: '/user/claim', payload })
  await devnet(real, 'settle')

  const attempts = await wonAttempts()
  const [payouts, calls] = [
    attempts.filter(({ payout_id }) => payout_id !== null),
    attempts.filter(({ payout_id }) => payout_id === null),
  ].map((list) => list.map(({ tx_hash }) => tx_hash)) as [Buffer[], Buffer[]]
  expect([payouts.length, calls.length]).toEqual([1, 2])
  const sun = await feesOf(payouts)
  expect(sun).toBeGreaterThan(1_000_000n)
  const { costs, warnings } = await money()
  const spent = formatUnits(sun, 6)
  const eachUsdt = formatUnits(sun * 2n, 6)
  expect(costs).toMatchObject({
    days: 30,
    reward_payouts: { count: 1, spent, each: spent, each_usdt: eachUsdt },
    operator_calls: { count: 2, spent: formatUnits(await feesOf(calls), 6) },
    referral_payouts: { count: 0, spent: '0.000000' },
    trx_price: '2.000000',
    energy_fee: '0.100000',
  })
  expect(warnings).toContainEqual({
    ...{ code: 'ENERGY_FEE_LOW', severity: 'warn', subject: 'operator_trx', days: null },
    ...{ there: '0.100000', needed: eachUsdt },
  })
})

test('an alarm is open while a payout costs more than the energy fee earns', async () => {
  const called = async () => {
    await devnet(real, 'settle')
    const alarms = await openAlarms(real.context.db)
    return alarms.flatMap(({ kind, subject }) => (subject === 'ENERGY_FEE_LOW' ? [kind] : []))
  }
  await expect.poll(called, { timeout: 30_000 }).toEqual(['funds.low'])
})

test('a transaction that was never mined counts as free', async () => {
  const { db, clock } = real.context
  const [attempt] = await everything(db).selectFrom('send_attempt').selectAll().limit(1).execute()
  if (attempt === undefined) throw new Error('nothing was sent before')
  const { id: _, ...copy } = attempt
  const tx_hash = randomBytes(32)
  const lost = {
    ...copy,
    tx_hash,
    state: 'expired',
    proof: { kind: 'expired' },
    attempt: 99,
  } as const
  await everything(db)
    .insertInto('send_attempt')
    .values({ ...lost, fee: null, ended_at: clock.now() })
    .execute()
  const before = (await money()).costs
  await devnet(real, 'settle')
  const stored = await everything(db)
    .selectFrom('send_attempt')
    .select('fee')
    .where('tx_hash', '=', tx_hash)
    .executeTakeFirstOrThrow()
  expect(stored.fee).toBe(0n)
  expect((await money()).costs).toEqual(before)
})
