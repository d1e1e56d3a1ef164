import { parseAmount } from '@dct/money'
import type { Hex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { everything } from '../../testing/all-tables.ts'
import {
  claim,
  expectBooksToBalance,
  get,
  givenAdmin,
  givenHolder,
  post,
  RECEIVER,
  receive,
  sendBack,
  transferEvent,
} from '../../testing/claims.ts'
import { useFreshClaims } from '../../testing/fresh-claims.ts'
import type { TestUser } from '../../testing/users.ts'
import { hexOf } from '../chain/index.ts'
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

/** An admin marks a received payment as sent back by this transaction. */
async function markRefunded(event: ReturnType<typeof transferEvent>, refund_tx_hash: Hex) {
  const body = { tx_hash: hexOf(event.txHash), log_index: event.logIndex, refund_tx_hash }
  return post(world, await givenAdmin(world), '/admin/unmatched-payments/refunded', body)
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
