import type { FinalReceipt } from '@dct/chain-clients'
import { formatAmount, parseAmount } from '@dct/money'
import { sql } from 'kysely'
import { encodeAbiParameters, type Hex, keccak256, pad, stringToHex, toEventSelector } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { spoil, useTestDatabase, wipe } from '../../../testing/database.ts'
import {
  BSC_ADDRESS,
  createReferralApp,
  PAYOUT_WALLET,
  USDT_CONTRACT,
} from '../../../testing/referral-app.ts'
import { payFee } from '../../../testing/referrals.ts'
import { useWorld } from '../../../testing/use-world.ts'
import type { TestUser } from '../../../testing/users.ts'
import { type Account, account, balanceOf } from '../../ledger/index.ts'
import { createManualPaymentLoop } from '../../payouts/index.ts'

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const ADMIN_WALLET: Hex = `0x${'ad'.repeat(20)}`
const usdt = (text: string) => parseAmount('USDT', text)

const database = useTestDatabase(24)
const world = useWorld(() => createReferralApp(database.db, 'manual'))
let admin: TestUser
let count = 0
beforeEach(async () => {
  await wipe(database.db)
  world.bsc.receipts.clear()
  world.bsc.waiting.clear()
  world.bsc.blockTime = world.clock.now()
  // Manual payouts need neither a node nor a balance.
  Object.assign(world.wallet, { usdt: 0n, isKnown: false })
  admin = await world.given({ role: 'admin' })
})

/** An approved claim of the given amount. */
async function givenApproved(worth = '12.5'): Promise<{ id: string; holder: TestUser }> {
  const holder = await world.given()
  const payer = await world.given({ referrerId: holder.id })
  await payFee(world.people, { payerId: payer.id, usdt: `${Number(worth) * 10}` })
  const { body } = await world.claim(holder)
  const answer = await world.approve(admin, body.id)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return { id: body.id ?? '', holder }
}

type Move = { token?: Hex; from?: Hex; to?: Hex; amount?: string }

/** Adds a final transaction with these transfers to BSC. */
function givenTransaction(moves: readonly Move[], changes: Partial<FinalReceipt> = {}): Hex {
  count += 1
  const txHash = keccak256(stringToHex(`by hand ${count}`))
  const logs = moves.map(
    ({ token = USDT_CONTRACT, from = ADMIN_WALLET, to = BSC_ADDRESS as Hex, amount = '12.5' }) => ({
      address: token,
      topics: [TRANSFER, pad(from), pad(to)],
      data: encodeAbiParameters([{ type: 'uint256' }], [usdt(amount)]),
    }),
  )
  world.bsc.receipts.set(txHash, {
    ...{ kind: 'final', txHash, blockNumber: 500n, blockTime: world.bsc.blockTime },
    ...{ failure: null, logs, fee: 0n, ...changes },
  })
  return txHash
}

const pay = (id: string, tx_hash: string) => world.pay(admin, { id, tx_hash })
const held = async (code: Account) =>
  formatAmount('USDT', await balanceOf(database.db, { asset: 'USDT', account: code }))
const entryOf = async (id: string) => {
  const { body } = await world.call('GET', '/admin/referral-claim-pool', { by: admin })
  return (body.claim_pool as { id: string; state: string }[]).find((one) => one.id === id)
}
const committed = async () => {
  const { body } = await world.call('GET', '/admin/referral-claim-pool', { by: admin })
  return body.approved_unpaid
}
const payments = () =>
  database.db.selectFrom('chain_payment').selectAll().orderBy('log_index').execute()
const loop = () => createManualPaymentLoop({ ...world.manualDeps, isManual: true, recheckMs: 0 })

test('an approval needs no balance of the payout wallet and leaves the payment to the admins', async () => {
  const { id } = await givenApproved()
  expect(await entryOf(id)).toMatchObject({ state: 'approved', is_manual: true })
  expect(await committed()).toBe('12.500000')
  const { body } = await world.call('GET', '/admin/referral-claim-pool', { by: admin })
  expect(body.payouts).toBe('manual')
})

test('the matching transfer pays the claim once, from the owner’s money, however often it is submitted', async () => {
  const { id, holder } = await givenApproved()
  const owner = await held(account.owner)
  const hash = givenTransaction([{}])
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => pay(id, hash.toUpperCase().replace('0X', '0x'))),
  )
  expect(answers.map(({ status, body }) => [status, body.is_paid])).toEqual(
    answers.map(() => [200, true]),
  )
  expect(await entryOf(id)).toMatchObject({ state: 'paid', tx_hash_usdt: hash })
  expect(await payments()).toMatchObject([{ amount: usdt('12.5'), log_index: 0 }])
  expect(await committed()).toBe('0.000000')
  expect(Number(await held(account.owner)) - Number(owner)).toBe(12.5)
  expect(await held(account.payoutWallet)).toBe('0.000000')
  const seen = await world.call('GET', '/user/referral-claim-pool-history', { by: holder })
  expect(seen.body.referral_claim_pool).toMatchObject([{ state: 'paid', tx_hash_usdt: hash }])
})

test('a manual payment from the payout wallet is booked on that wallet', async () => {
  const { id } = await givenApproved()
  await pay(id, givenTransaction([{ from: PAYOUT_WALLET }]))
  expect(await held(account.payoutWallet)).toBe('-12.500000')
})

test.each([
  ['failed', [{}], { failure: 'REVERT', logs: [] }, 'PAYMENT_FAILED'],
  ['moves nothing', [], {}, 'PAYMENT_WITHOUT_TRANSFER'],
  ['moves another token', [{ token: ADMIN_WALLET }], {}, 'MANUAL_PAYMENT_OTHER_TOKEN'],
  ['goes elsewhere', [{ to: ADMIN_WALLET }], {}, 'MANUAL_PAYMENT_OTHER_RECIPIENT'],
  ['is one unit too little', [{ amount: '12.499999' }], {}, 'MANUAL_PAYMENT_WRONG_AMOUNT'],
  ['is too much', [{ amount: '125' }], {}, 'MANUAL_PAYMENT_WRONG_AMOUNT'],
  ['is the sum of two', [{ amount: '12' }, { amount: '0.5' }], {}, 'MANUAL_PAYMENT_WRONG_AMOUNT'],
] as const)('a transaction that %s pays nothing', async (_what, moves, changes, code) => {
  const { id } = await givenApproved()
  const answer = await pay(id, givenTransaction(moves, changes))
  expect([answer.status, answer.body.code]).toEqual([422, code])
  expect(await entryOf(id)).toMatchObject({ state: 'approved', named_tx_hash: null })
  expect(await payments()).toEqual([])
})

test('a payment from before the approval pays nothing', async () => {
  const { id } = await givenApproved()
  world.bsc.blockTime = new Date(world.clock.now().getTime() - 3_600_000)
  const { body } = await pay(id, givenTransaction([{}]))
  expect(body.code).toBe('MANUAL_PAYMENT_TOO_OLD')
})

test('a request without a hash, a claim or a manual payout is refused with the reason', async () => {
  const { id } = await givenApproved()
  const hash = givenTransaction([{}])
  expect((await pay(id, '0x1234')).body.code).toBe('PAYMENT_HASH_INVALID')
  expect((await pay('999999', hash)).status).toBe(404)
  const waiting = await world.given()
  const payer = await world.given({ referrerId: waiting.id })
  await payFee(world.people, { payerId: payer.id, usdt: '5' })
  const claim = await world.claim(waiting)
  expect((await pay(claim.body.id ?? '', hash)).body.code).toBe('REFERRAL_CLAIM_NOT_APPROVED')
  // Makes the payout automatic, as in the other mode.
  await spoil(database.db, sql`update payout set is_manual = false`)
  expect((await pay(id, hash)).body.code).toBe('PAYOUT_NOT_MANUAL')
})

test('one transfer pays one of two identical claims, even concurrently; two transfers pay both', async () => {
  const [first, second] = [await givenApproved(), await givenApproved()]
  const single = givenTransaction([{}])
  const answers = await Promise.all([pay(first.id, single), pay(second.id, single)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('MANUAL_PAYMENT_USED')

  const [third, fourth] = [await givenApproved(), await givenApproved()]
  const double = givenTransaction([{}, { amount: '3' }, {}])
  const both = await Promise.all([pay(third.id, double), pay(fourth.id, double)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect((await payments()).map(({ log_index }) => log_index)).toEqual([0, 0, 2])
})

test('a transaction that is not final yet is stored, and pays once it is', async () => {
  const { id } = await givenApproved()
  const hash = givenTransaction([{}])
  const receipt = world.bsc.receipts.get(hash)
  world.bsc.receipts.delete(hash)
  world.bsc.waiting.add(hash)
  expect((await pay(id, hash)).body.is_paid).toBe(false)
  expect(await entryOf(id)).toMatchObject({ state: 'sending', named_tx_hash: hash })
  await loop().step()
  expect(await entryOf(id)).toMatchObject({ state: 'sending' })
  // It may still turn out to be the payment, so the amount cannot be returned.
  const early = await world.giveBack(admin, { id, reason: 'Not sent' })
  expect(early.body.code).toBe('PAYOUT_SIGNED')

  if (receipt !== undefined) world.bsc.receipts.set(hash, receipt)
  await Promise.all([loop().step(), loop().step(), pay(id, hash)])
  expect(await entryOf(id)).toMatchObject({ state: 'paid', tx_hash_usdt: hash })
  expect(await payments()).toHaveLength(1)
})

test('a stored transaction that turns out to be wrong or remains unknown shows the reason and no longer blocks the claim', async () => {
  const { id } = await givenApproved()
  const wrong = givenTransaction([{ amount: '1' }])
  const receipt = world.bsc.receipts.get(wrong)
  world.bsc.receipts.delete(wrong)
  await pay(id, wrong)
  if (receipt !== undefined) world.bsc.receipts.set(wrong, receipt)
  await loop().step()
  expect(await entryOf(id)).toMatchObject({
    state: 'approved',
    named_problem: 'This transaction sent 1.000000 USDT; the claim is exactly 12.500000 USDT.',
  })

  const nowhere = keccak256(stringToHex('nowhere'))
  await pay(id, nowhere)
  await sql`update manual_payment set named_at = named_at - interval '11 minutes'`.execute(
    database.db,
  )
  await loop().step()
  expect(await entryOf(id)).toMatchObject({
    state: 'approved',
    named_problem: 'The BSC network does not know this transaction. Please check the hash.',
  })
  expect((await world.giveBack(admin, { id, reason: 'Not sent' })).status).toBe(200)
  expect((await pay(id, givenTransaction([{}]))).body.code).toBe('PAYOUT_ENDED')
})

test('of a concurrent return and payment, exactly one succeeds', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { id } = await givenApproved('1')
    const hash = givenTransaction([{ amount: '1' }])
    const [returned, paid] = await Promise.all([
      world.giveBack(admin, { id, reason: 'No' }),
      pay(id, hash),
    ])
    expect([returned.status, paid.status].filter((status) => status === 200)).toHaveLength(1)
    expect(await entryOf(id)).toMatchObject({ state: paid.status === 200 ? 'paid' : 'returned' })
  }
  expect(await committed()).toBe('0.000000')
})

test('the log records which admin submitted which transaction; refused ones are not logged', async () => {
  const { id } = await givenApproved()
  await pay(id, givenTransaction([{ amount: '1' }]))
  const hash = givenTransaction([{}])
  await pay(id, hash)
  const log = await database.db
    .selectFrom('admin_log')
    .selectAll()
    .where('action', '=', 'referral_claim.pay_manually')
    .execute()
  expect(log).toMatchObject([{ admin_id: admin.id, subject: id, after: { tx_hash: hash } }])
})
