import { parseAmount } from '@dct/money'
import type { Hex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { everything } from '../../testing/all-tables.ts'
import {
  announceReturn,
  claim,
  claimRows,
  expectBooksToBalance,
  get,
  givenAdmin,
  givenHolder,
  PAYOUT_WALLET,
  post,
  RECEIVER,
  receive,
  sendBack,
  transferEvent,
} from '../../testing/claims.ts'
import { useFreshClaims } from '../../testing/fresh-claims.ts'
import type { TestUser } from '../../testing/users.ts'
import { hexOf, recordOwnAddresses } from '../chain/index.ts'
import { account, balanceOf } from '../ledger/index.ts'

const { world } = useFreshClaims(33)
let holder: TestUser
beforeEach(async () => {
  holder = await givenHolder(world)
})

const usdt = (text: string) => parseAmount('USDT', text)
const usdtOn = (of: typeof account.feeReceiver) =>
  balanceOf(world.db, { asset: 'USDT', account: of })
const receipts = () =>
  everything(world.db).selectFrom('usdt_receipt').selectAll().orderBy('block_number').execute()

type Received = ReturnType<typeof transferEvent>
const keyOf = ({ txHash, logIndex }: Received) => ({ tx_hash: hexOf(txHash), log_index: logIndex })

/** An admin records that this transaction has sent a received payment back. */
async function record(event: Received, refund_tx_hash: Hex) {
  const body = { ...keyOf(event), refund_tx_hash }
  return post(world, await givenAdmin(world), '/admin/unmatched-payments/refunded', body)
}

/** An admin announces that they send it back, and records the transaction. */
async function markRefunded(event: Received, refund_tx_hash: Hex) {
  await announceReturn(world, await givenAdmin(world), event)
  return record(event, refund_tx_hash)
}

test('a refunded payment disappears from the list, once', async () => {
  const admin = await givenAdmin(world)
  const event = transferEvent(world, { value: usdt('5') })
  await receive(world, event)
  const hash = sendBack(world, [{ value: usdt('5') }])
  const all = await Promise.all([markRefunded(event, hash), markRefunded(event, hash)])
  expect(all.map(({ status }) => status).sort()).toEqual([200, 409])
  expect((await get(world, admin, '/admin/unmatched-payments')).body.total).toBe(0)
  const done = await get(world, admin, '/admin/unmatched-payments?state=refunded')
  expect(done.body.payments).toMatchObject([{ note: `Refunded by ${hash}.` }])
  // The owner refunds it from the receiver address, and the watcher sees that transfer too.
  const back = transferEvent(world, {
    value: usdt('5'),
    from: RECEIVER,
    to: `0x${'12'.repeat(20)}`,
  })
  await receive(world, back)
  expect(await usdtOn(account.suspense)).toBe(0n)
  expect(await usdtOn(account.feeReceiver)).toBe(0n)
  expect(await usdtOn(account.owner)).toBe(0n)
  await expectBooksToBalance(world)
})

const STRANGER: Hex = `0x${'13'.repeat(20)}`
test.each<[string, string, Parameters<typeof sendBack>[1][number], Parameters<typeof sendBack>[2]]>(
  [
    ['of less', 'NOT_A_RETURN', { value: usdt('4.999999') }, {}],
    ['of nothing', 'NOT_A_RETURN', { value: 0n }, {}],
    ['to somebody else', 'NOT_A_RETURN', { value: usdt('5'), to: STRANGER }, {}],
    ['of a token that looks alike', 'NOT_A_RETURN', { value: usdt('5'), token: STRANGER }, {}],
    [
      'by the payer themselves',
      'NOT_A_RETURN',
      { value: usdt('5'), from: `0x${'77'.repeat(20)}`, to: `0x${'77'.repeat(20)}` },
      {},
    ],
    ['from before', 'NOT_A_RETURN', { value: usdt('5') }, { blockNumber: 1n }],
    ['that failed', 'PAYMENT_WITHOUT_EFFECT', { value: usdt('5') }, { failure: 'REVERT' }],
  ],
)('a payment is not returned by a transfer %s', async (_what, code, move, facts) => {
  const event = transferEvent(world, { value: usdt('5') })
  await receive(world, event)
  const answer = await markRefunded(event, sendBack(world, [move], facts))
  expect([answer.status, answer.body.code]).toEqual([422, code])
  expect(await receipts()).toMatchObject([{ state: 'unmatched' }])
})

test('a referral payment of a vault, former or present, is no return', async () => {
  const event = transferEvent(world, { value: usdt('5') })
  await receive(world, event)
  const used = [{ role: 'payout_wallet', address: PAYOUT_WALLET }] as const
  await recordOwnAddresses(world.db, used, world.clock.now())
  const hash = sendBack(world, [{ value: usdt('5'), from: PAYOUT_WALLET }])
  expect((await markRefunded(event, hash)).body.code).toBe('NOT_A_RETURN')
  expect(await receipts()).toMatchObject([{ state: 'unmatched' }])
})

test('neither the payment itself, an unknown transaction nor one transfer for two payments is a return', async () => {
  const [first, second] = [usdt('5'), usdt('4')].map((value) => transferEvent(world, { value }))
  if (first === undefined || second === undefined) throw new Error('two payments are needed')
  await receive(world, first)
  await receive(world, second)
  expect((await markRefunded(first, `0x${'ab'.repeat(32)}`)).body.code).toBe('PAYMENT_NOT_ON_CHAIN')
  const own = sendBack(world, [{ value: usdt('5') }], { blockNumber: first.blockNumber })
  expect((await markRefunded(first, own)).body.code).toBe('NOT_A_RETURN')

  const one = sendBack(world, [{ value: usdt('5') }])
  expect((await markRefunded(first, one)).status).toBe(200)
  expect((await markRefunded(second, one)).body.code).toBe('RETURN_USED')
  const both = sendBack(world, [{ value: usdt('1') }, { value: usdt('4') }])
  expect((await markRefunded(second, both)).status).toBe(200)
  await expectBooksToBalance(world)
})

test('a return is recorded only once an admin has announced it, and is announced by one at a time', async () => {
  const [ani, dewi] = [await givenAdmin(world), await givenAdmin(world)]
  const event = transferEvent(world, { value: usdt('5') })
  await receive(world, event)
  const hash = sendBack(world, [{ value: usdt('5') }])
  expect(await record(event, hash)).toMatchObject({
    ...{ status: 409, body: { code: 'RETURN_NOT_ANNOUNCED' } },
  })
  expect(await receipts()).toMatchObject([{ state: 'unmatched' }])

  const announced = await Promise.all(
    [ani, dewi, ani, dewi].map((admin) => announceReturn(world, admin, event)),
  )
  expect(announced.filter(({ body }) => body.is_granted)).toHaveLength(1)
  expect((await record(event, hash)).status).toBe(200)
})

test('once a payment is returned or settles a fee, nobody is let send it back', async () => {
  const admin = await givenAdmin(world)
  const unknown = transferEvent(world, { value: usdt('5') })
  expect((await announceReturn(world, admin, unknown)).body.code).toBe('RECEIPT_NOT_FOUND')
  await receive(world, unknown)
  expect((await markRefunded(unknown, sendBack(world, [{ value: usdt('5') }]))).status).toBe(200)
  expect(await announceReturn(world, admin, unknown)).toMatchObject({
    ...{ status: 409, body: { code: 'RECEIPT_NOT_UNMATCHED' } },
  })

  const { event, code } = await attachable()
  const attached = await post(world, admin, '/admin/unmatched-payments/attach', {
    ...{ ...keyOf(event), code_claim: code },
  })
  expect(attached.status).toBe(200)
  expect((await announceReturn(world, admin, event)).body.code).toBe('RECEIPT_NOT_UNMATCHED')
})

test('a payment that may be on its way back settles no fee, unless the admin who decides was told', async () => {
  const [ani, dewi] = [await givenAdmin(world), await givenAdmin(world)]
  const { event, code } = await attachable()
  const attempt = 'ab'.repeat(16)
  const attach = (known: string[]) =>
    post(world, dewi, '/admin/unmatched-payments/attach', {
      ...{ ...keyOf(event), code_claim: code, known },
    })
  await announceReturn(world, ani, event, attempt)
  // While its admin may be sending, no confirmation helps.
  for (const known of [[], [attempt]]) {
    expect(await attach(known)).toMatchObject({ status: 409, body: { code: 'RETURN_UNDER_WAY' } })
  }
  await post(world, ani, '/admin/money-steps/report', { attempt, outcome: 'unknown' })
  expect((await attach([])).body.code).toBe('RETURN_UNDER_WAY')
  expect((await attach([attempt])).status).toBe(200)
})

/** A payment that is a little more than the fee of a claim. */
async function attachable(): Promise<{ event: Received; code: string }> {
  await claim(world, holder, 'FULL', { earning_plan_code: 'PLAN-360' })
  const [open] = await claimRows(world)
  if (open === undefined) throw new Error('there is no claim')
  const event = transferEvent(world, { value: open.exact_amount + 1n })
  await receive(world, event)
  return { event, code: open.code_claim }
}

test('a payment of less than a cent is booked and needs nobody', async () => {
  const admin = await givenAdmin(world)
  expect((await claim(world, holder, 'FULL', { earning_plan_code: 'PLAN-360' })).status).toBe(200)
  for (const value of [1n, usdt('0.009999')]) await receive(world, transferEvent(world, { value }))
  expect((await get(world, admin, '/admin/unmatched-payments')).body.total).toBe(0)
  expect((await receipts()).map(({ state }) => state)).toEqual(['dust', 'dust'])
  expect((await receipts()).map(({ nearest_claim_id }) => nearest_claim_id)).toEqual([null, null])
  expect(await usdtOn(account.feeReceiver)).toBe(usdt('0.009999') + 1n)
  expect(await usdtOn(account.suspense)).toBe(0n)
  await receive(world, transferEvent(world, { value: usdt('0.01') }))
  expect((await get(world, admin, '/admin/unmatched-payments')).body.total).toBe(1)
  await expectBooksToBalance(world)
})
