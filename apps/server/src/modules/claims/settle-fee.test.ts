import { amount, parseAmount } from '@dct/money'
import type { Hex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { everything } from '../../testing/all-tables.ts'
import {
  claim,
  claimRows,
  expectBooksToBalance,
  get,
  givenAdmin,
  givenHolder,
  PAYOUT_WALLET,
  payOut,
  post,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import { databaseState } from '../../testing/database-state.ts'
import { expectPages } from '../../testing/expect-pages.ts'
import { useFreshClaims } from '../../testing/fresh-claims.ts'
import { givenFundedPlan, givenStake, passDays } from '../../testing/stakes.ts'
import type { TestUser } from '../../testing/users.ts'
import { hexOf } from '../chain/index.ts'
import { account, balanceOf } from '../ledger/index.ts'
import { settleFee } from './settle-fee.ts'

const { world, clock } = useFreshClaims(32)
let holder: TestUser

beforeEach(async () => {
  holder = await givenHolder(world)
})

const dct = (text: string) => parseAmount('DCT', text)
const usdt = (text: string) => parseAmount('USDT', text)
const usdtOn = (of: typeof account.feeReceiver) =>
  balanceOf(world.db, { asset: 'USDT', account: of })
const receipts = () =>
  everything(world.db).selectFrom('usdt_receipt').selectAll().orderBy('block_number').execute()
const payouts = () => everything(world.db).selectFrom('payout').selectAll().orderBy('id').execute()

/** A claim that awaits its fee. */
async function givenClaim(type = 'FULL', user = holder, planCode = 'PLAN-360') {
  const { status } = await claim(world, user, type, { earning_plan_code: planCode })
  expect(status).toBe(200)
  const row = (await claimRows(world)).at(-1)
  if (row === undefined) throw new Error('no claim')
  return row
}

const feeOf = async () =>
  (await get(world, holder, '/user/pending-claim-fees')).body.pending_fees[0]

test('[STATE-12, STATE-14, CONST-08] the exact amount settles the fee, and the rest of the claim becomes due', async () => {
  const open = await givenClaim('HALF')
  const event = transferEvent(world, { value: open.exact_amount })
  await receive(world, event)
  const [row] = await claimRows(world)
  expect(row).toMatchObject({
    state: 'paid',
    fee_tx: event.txHash,
    paid_at: event.blockTime,
    deadline: new Date(event.blockTime.getTime() + DAY_MS),
  })
  const [, rest] = await payouts()
  expect(rest).toMatchObject({
    cause: `claim:${open.id}:later`,
    amount: dct('0.5'),
    to_address: holder.address,
  })
  expect(await usdtOn(account.feeReceiver)).toBe(open.exact_amount)
  expect(await usdtOn(account.incomeEnergy)).toBe(usdt('0.10'))
  expect(await usdtOn(account.incomeFee)).toBe(open.exact_amount - usdt('0.10'))
  const earning = await everything(world.db)
    .selectFrom('earning')
    .select('has_open_fee')
    .executeTakeFirst()
  expect(earning?.has_open_fee).toBe(false)
  await expectBooksToBalance(world)
})

test("the payer's line is credited with F in the transaction that settles the fee", async () => {
  const open = await givenClaim()
  await receive(world, transferEvent(world, { value: open.exact_amount }))
  expect(world.credited).toMatchObject([
    { feeId: open.id, payerUserId: holder.id, feeUsdt: usdt('0.4'), planCode: 'PLAN-360' },
  ])
})

test("[STATE-16, STATE-17] the reward's hash starts with RW- while it is being sent, then it is the transaction's", async () => {
  const open = await givenClaim()
  expect(await feeOf()).toMatchObject({ is_paid: false, tx_hash_reward: null, deadline: null })
  await receive(world, transferEvent(world, { value: open.exact_amount }))
  expect(await feeOf()).toMatchObject({
    is_paid: true,
    tx_hash_reward: `RW-${open.code_claim}`,
    status: 'Waiting',
    cancellable_from: null,
  })
  const hash = await payOut(world, `claim:${open.id}:later`)
  expect(await feeOf()).toMatchObject({ tx_hash_reward: hash.toString('hex'), status: 'Done' })
})

test.each([
  ['one unit too little', (exact: bigint) => exact - 1n],
  ['one unit too much', (exact: bigint) => exact + 1n],
  ['a millionth too little', (exact: bigint) => exact - 10n ** 12n],
  ['twice as much', (exact: bigint) => exact * 2n],
])('[FEE-19] [T057] %s settles nothing and is recorded for the admins', async (_what, change) => {
  const open = await givenClaim()
  const value = change(open.exact_amount)
  await receive(world, transferEvent(world, { value }))
  expect((await claimRows(world))[0]?.state).toBe('awaiting_fee')
  expect(await receipts()).toMatchObject([
    { state: 'unmatched', amount: value, claim_id: null, nearest_claim_id: open.id },
  ])
  expect(await payouts()).toEqual([])
  expect(await usdtOn(account.suspense)).toBe(value)
  const { mismatch } = await feeOf()
  expect(usdt(mismatch.received_usdt)).toBe(value)
  expect(usdt(mismatch.expected_usdt)).toBe(open.exact_amount)
  expect(mismatch.message).toContain('expected exactly')
  await expectBooksToBalance(world)
})

test('every payment that settles nothing stays in view until an admin has dealt with it, also once the fee is paid', async () => {
  const open = await givenClaim()
  const amounts = [open.exact_amount - 2n, open.exact_amount + 1n]
  for (const value of amounts) await receive(world, transferEvent(world, { value }))
  const shown = async () => {
    const { mismatch } = await feeOf()
    return [mismatch, ...mismatch.earlier].map(({ received_usdt }) => usdt(received_usdt))
  }
  expect((await shown()).toSorted()).toEqual(amounts.toSorted())
  await receive(world, transferEvent(world, { value: open.exact_amount }))
  expect(await feeOf()).toMatchObject({ is_paid: true })
  expect((await shown()).toSorted()).toEqual(amounts.toSorted())
})

test('[T057] a zero-value transfer is ignored', async () => {
  await givenClaim()
  await receive(world, transferEvent(world, { value: 0n }))
  expect(await receipts()).toEqual([])
})

test('an amount that is far from every fee is not assigned to a claim', async () => {
  await givenClaim()
  await receive(world, transferEvent(world, { value: usdt('777') }))
  expect(await receipts()).toMatchObject([{ state: 'unmatched', nearest_claim_id: null }])
})

test("[T064] a payment in a block before or at the claim's creation never settles it", async () => {
  const open = await givenClaim()
  const early = transferEvent(world, { value: open.exact_amount, blockNumber: 100n })
  await receive(world, early)
  expect((await claimRows(world))[0]?.state).toBe('awaiting_fee')
  await receive(world, transferEvent(world, { value: open.exact_amount, blockNumber: 101n }))
  expect((await claimRows(world))[0]?.state).toBe('paid')
})

test('a payment from ten minutes before the claim never settles it, though restored books knew no later block', async () => {
  const open = await givenClaim()
  const paidAt = (ms: number) => new Date(open.requested_at.getTime() - ms)
  const [early, late] = [paidAt(10 * 60_000 + 1), paidAt(10 * 60_000)]
  const value = open.exact_amount
  await receive(world, transferEvent(world, { value, blockNumber: 101n, at: early }))
  expect((await claimRows(world))[0]?.state).toBe('awaiting_fee')
  expect(await receipts()).toMatchObject([{ state: 'unmatched' }])
  await receive(world, transferEvent(world, { value, blockNumber: 102n, at: late }))
  expect((await claimRows(world))[0]?.state).toBe('paid')
})

test('a transfer between our own addresses pays no fee', async () => {
  const open = await givenClaim()
  await receive(world, transferEvent(world, { value: open.exact_amount, from: PAYOUT_WALLET }))
  expect((await claimRows(world))[0]?.state).toBe('awaiting_fee')
  expect(await receipts()).toMatchObject([{ state: 'internal', claim_id: null }])
  expect(await usdtOn(account.suspense)).toBe(0n)
})

test('USDT sent to other addresses is not booked', async () => {
  const open = await givenClaim()
  const stranger: Hex = `0x${'99'.repeat(20)}`
  await receive(world, transferEvent(world, { value: open.exact_amount, to: stranger }))
  expect(await receipts()).toEqual([])
})

test('[T058] one log settles one fee, however often and by however many processes it is read', async () => {
  const open = await givenClaim()
  const event = transferEvent(world, { value: open.exact_amount })
  await Promise.all(Array.from({ length: 16 }, () => receive(world, event)))
  await receive(world, event)
  expect(await receipts()).toHaveLength(1)
  expect(await payouts()).toHaveLength(1)
  expect(world.credited).toHaveLength(1)
  expect(await usdtOn(account.feeReceiver)).toBe(open.exact_amount)
  await expectBooksToBalance(world)
})

test('[T058] of sixteen concurrent payments of one amount, one settles; the others await an admin, with the claim named', async () => {
  const open = await givenClaim()
  const events = Array.from({ length: 16 }, () =>
    transferEvent(world, { value: open.exact_amount }),
  )
  await Promise.all(events.map((event) => receive(world, event)))
  const all = await receipts()
  expect(all.filter(({ state }) => state === 'settled')).toHaveLength(1)
  const odd = all.filter(({ state }) => state === 'unmatched')
  expect(odd).toHaveLength(15)
  for (const { nearest_claim_id } of odd) expect(nearest_claim_id).toBe(open.id)
  expect(await payouts()).toHaveLength(1)
  await expectBooksToBalance(world)
})

test('[T067] two transfers in one transaction settle two fees', async () => {
  const other = await givenHolder(world, { planCode: 'PLAN-B' })
  const first = await givenClaim('FULL')
  const second = await givenClaim('FULL', other, 'PLAN-B')
  const one = transferEvent(world, { value: first.exact_amount })
  const two = { ...transferEvent(world, { value: second.exact_amount }), txHash: one.txHash }
  await receive(world, { ...one, logIndex: 1 })
  await receive(world, { ...two, logIndex: 2 })
  expect((await claimRows(world)).map(({ state }) => state)).toEqual(['paid', 'paid'])
})

test("a hash without a claim code is matched only with the sender's claims that it settled", async () => {
  const submit = async (hash: Buffer) => {
    const body = { earning_plan_code: 'PLAN-360', tx_hash_usdt: hexOf(hash) }
    return (await post(world, holder, '/user/pay-claim-fee', body)).body
  }
  const givenPaid = async (user: TestUser) => {
    const { code_claim, exact_amount: value } = await givenClaim('FULL', user)
    const event = transferEvent(world, { value })
    await receive(world, event)
    return { code_claim, hash: event.txHash }
  }
  const first = await givenPaid(holder)
  await passDays(world.stakes, 8)
  const second = await givenPaid(holder)
  for (const { hash, code_claim } of [first, second]) {
    expect(await submit(hash)).toMatchObject({ status: 'recorded', code_claim })
  }
  const foreign = await givenPaid(await givenHolder(world))
  expect(await submit(foreign.hash)).toMatchObject({ code: 'NO_OPEN_FEE' })
  await givenClaim('FULL')
  expect(await submit(foreign.hash)).toMatchObject({ code: 'PAYMENT_BELONGS_ELSEWHERE' })
})

test('[API-27] a payment is submitted for the plan named with it', async () => {
  const plan = await givenFundedPlan(world.stakes, { code: 'PLAN-B' })
  await givenStake(world.stakes, { plan, staker: holder.address, amount: dct('50') })
  await passDays(world.stakes, 10)
  const claims = [await givenClaim('FULL'), await givenClaim('FULL', holder, 'PLAN-B')]
  for (const { plan_code: earning_plan_code, code_claim } of claims) {
    const body = { earning_plan_code, tx_hash_usdt: `0x${'a'.repeat(64)}` }
    expect(await post(world, holder, '/user/pay-claim-fee', body)).toMatchObject({
      status: 202,
      body: { code_claim, message: expect.stringMatching(/^Payment submitted\./) },
    })
  }
})

test('days between a payment and its settlement do not count towards freezing', async () => {
  const open = await givenClaim()
  const paidAt = clock.now()
  await passDays(world.stakes, 3)
  await receive(world, transferEvent(world, { value: open.exact_amount, at: paidAt }))
  const exemptions = await everything(world.db)
    .selectFrom('earning_exemption')
    .select('day')
    .orderBy('day')
    .execute()
  expect(exemptions).toHaveLength(3)
  const earning = await everything(world.db)
    .selectFrom('earning')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(earning.own_exempt_days).toBe(3)
  expect((await claimRows(world))[0]?.deadline).toEqual(new Date(paidAt.getTime() + DAY_MS))
})

test('none of the days between a payment and its settlement is lost', async () => {
  const open = await givenClaim()
  await passDays(world.stakes, 30)
  const event = transferEvent(world, { value: open.exact_amount, at: clock.now() })
  await passDays(world.stakes, 6)
  const lapsed = account.lapsed('PLAN-360')
  const lost = () => balanceOf(world.db, { asset: 'DCT', account: lapsed })
  expect(await lost()).toBe(dct('0.3'))
  await receive(world, event)
  expect(await lost()).toBe(0n)
  const list = await get(world, holder, '/user/claimable-reward')
  expect(list.body.claimable_rewards).toMatchObject([{ total_claimable: '3.600000' }])
  await expectBooksToBalance(world)
})

test('an admin can attach a payment of too little to its claim', async () => {
  const admin = await givenAdmin(world)
  const open = await givenClaim()
  const event = transferEvent(world, { value: usdt('0.30') })
  await receive(world, event)
  const list = await get(world, admin, '/admin/unmatched-payments')
  expect(list.body).toMatchObject({
    total: 1,
    payments: [
      {
        tx_hash: hexOf(event.txHash),
        amount_usdt: '0.300000',
        nearest_code_claim: open.code_claim,
        nearest_tron_address: holder.wallet.tronAddress,
      },
    ],
  })
  const body = {
    tx_hash: hexOf(event.txHash),
    log_index: event.logIndex,
    code_claim: open.code_claim,
  }
  const attach = () => post(world, admin, '/admin/unmatched-payments/attach', body)
  const all = await Promise.all([attach(), attach(), attach()])
  expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect((await claimRows(world))[0]).toMatchObject({ state: 'paid', fee_tx: event.txHash })
  // The payment covers the energy fee first; F is the part of the remainder that was paid.
  expect(world.credited.map(({ feeUsdt }) => feeUsdt)).toEqual([usdt('0.20')])
  expect(await usdtOn(account.suspense)).toBe(0n)
  expect(world.actions).toMatchObject([{ action: 'payment.attach', subject: open.code_claim }])
  const settled = await get(world, admin, '/admin/unmatched-payments?state=settled')
  expect(settled.body.payments).toMatchObject([{ handled_by: admin.wallet.tronAddress }])
  await expectBooksToBalance(world)
})

test('unmatched payments are paged', async () => {
  const admin = await givenAdmin(world)
  for (const value of ['5', '6']) await receive(world, transferEvent(world, { value: usdt(value) }))
  const read = async (query: string) =>
    (await get(world, admin, `/admin/unmatched-payments?${query}`)).body
  await expectPages(read, 'payments')
})

test('only admins can see and handle unmatched payments', async () => {
  for (const url of ['/admin/unmatched-payments', '/admin/claim-history']) {
    expect((await get(world, holder, url)).status).toBe(403)
  }
  expect((await post(world, holder, '/admin/unmatched-payments/attach', {})).status).toBe(403)
})

test('a paid fee cannot be settled a second time by any means', async () => {
  const open = await givenClaim()
  await receive(world, transferEvent(world, { value: open.exact_amount }))
  const before = await databaseState(world.db)
  const receipt = {
    ...{ txHash: Buffer.alloc(32, 9), logIndex: 0, blockTime: clock.now() },
    amount: amount('USDT', open.exact_amount),
  }
  const deps = { clock, creditReferrals: async () => [] }
  const again = inTransaction(world.db, (tx) =>
    settleFee(deps, tx, { claim: open, receipt, source: 'suspense' }),
  )
  await expect(again).rejects.toThrow('does not await its fee')
  expect(await databaseState(world.db)).toEqual(before)
})
