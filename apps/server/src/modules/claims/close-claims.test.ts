import { parseAmount } from '@dct/money'
import { expect, test } from 'vitest'
import { clearAlarm, raiseAlarm } from '../../platform/alarms/alarms.ts'
import { DAY_MS, realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { everything } from '../../testing/all-tables.ts'
import {
  claim,
  claimRows,
  expectBooksToBalance,
  get,
  givenAdmin,
  givenBscHead,
  givenHolder,
  post,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import { useFreshClaims } from '../../testing/fresh-claims.ts'
import { givenEmail } from '../../testing/messages-world.ts'
import { passDays } from '../../testing/stakes.ts'
import { setRole } from '../auth/index.ts'
import { openSession } from '../auth/sessions.ts'
import { hexOf } from '../chain/index.ts'
import { account, balanceOf } from '../ledger/index.ts'
import { claimJobs } from './claims.jobs.ts'

const { world, clock } = useFreshClaims(32)

const usdt = (text: string) => parseAmount('USDT', text)

test('a cancelled amount is claimable again together with later cycles, and its fee is closed', async () => {
  const holder = await givenHolder(world)
  const { body } = await claim(world, holder, 'FULL')
  const cancel = () =>
    post(world, holder, '/user/cancel-claim', { code_claim: body.data.code_claim })
  expect(await cancel()).toMatchObject({ status: 422, body: { code: 'CANCEL_TOO_EARLY' } })
  await passDays(world.stakes, 2)
  expect((await cancel()).status).toBe(200)
  expect(await cancel()).toMatchObject({ status: 409, body: { code: 'CLAIM_NOT_OPEN' } })
  const list = await get(world, holder, '/user/claimable-reward')
  expect(list.body.claimable_rewards).toMatchObject([{ total_claimable: '1.200000' }])
  const again = await claim(world, holder, 'HALF')
  expect(again.body.data).toMatchObject({ now_amount: '0.600000', later_amount: '0.600000' })
  await expectBooksToBalance(world)
})

test("neither a HALF claim nor another holder's claim can be cancelled", async () => {
  const holder = await givenHolder(world)
  const stranger = await givenHolder(world, { planCode: 'PLAN-B', days: 2 })
  const { body } = await claim(world, holder, 'HALF')
  const code_claim = body.data.code_claim
  const own = await post(world, holder, '/user/cancel-claim', { code_claim })
  expect(own).toMatchObject({ status: 422, body: { code: 'HALF_NOT_CANCELLABLE' } })
  const others = await post(world, stranger, '/user/cancel-claim', { code_claim })
  expect(others).toMatchObject({ status: 404, body: { code: 'CLAIM_NOT_FOUND' } })
})

test('of a concurrent cancellation and payment, exactly one succeeds, and no amount is lost', async () => {
  for (let round = 0; round < 8; round += 1) {
    const planCode = `R-${round}`
    const holder = await givenHolder(world, { planCode })
    const { body } = await claim(world, holder, 'FULL', { earning_plan_code: planCode })
    clock.advanceMs(2 * DAY_MS)
    const code_claim = body.data.code_claim
    const event = transferEvent(world, { value: usdt(body.data.unpaid_fee_usdt) })
    const [cancelled] = await Promise.all([
      post(world, holder, '/user/cancel-claim', { code_claim }),
      receive(world, event),
    ])
    const row = (await claimRows(world)).at(-1)
    const [receipt] = await everything(world.db)
      .selectFrom('usdt_receipt')
      .selectAll()
      .where('tx_hash', '=', event.txHash)
      .execute()
    if (cancelled.status === 200) {
      expect(row?.state).toBe('cancelled')
      expect(receipt).toMatchObject({ state: 'unmatched', nearest_claim_id: row?.id })
    } else {
      expect(cancelled.body.code).toBe('CLAIM_NOT_OPEN')
      expect(row?.state).toBe('paid')
      expect(receipt).toMatchObject({ state: 'settled', claim_id: row?.id })
    }
  }
  await expectBooksToBalance(world)
})

/** Runs the daily job like the worker. */
async function closeDue(options: { lapsedAtOnce?: number } = {}) {
  const job = claimJobs({ clock, ...options })['claims.close']
  const facts = { id: 1n, queue: 'claims.close', key: 'daily', payload: {}, attempts: 0 }
  return inTransaction(world.db, (tx) => job?.(tx, facts) ?? Promise.resolve(undefined))
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const heldAmounts = () => everything(world.db).selectFrom('amount_hold').selectAll().execute()

test('a fee not paid within 210 days after the end lapses, but only once BSC has been read that far', async () => {
  const holder = await givenHolder(world, { planCode: 'SHORT' })
  await givenEmail(world.db, holder, 'holder@example.com')
  await claim(world, holder, 'HALF', { earning_plan_code: 'SHORT' })
  const [row] = await claimRows(world)
  const until = row?.fee_until ?? clock.now()
  clock.set(new Date(until.getTime() + 1_000))
  await closeDue()
  expect((await claimRows(world))[0]?.state).toBe('awaiting_fee')

  await givenBscHead(world, 5_000n)
  expect(await closeDue()).toEqual({ runAgainAt: new Date(clock.now().getTime() + DAY_MS) })
  expect((await claimRows(world))[0]?.state).toBe('lapsed')
  const lapsed = await balanceOf(world.db, { asset: 'DCT', account: account.lapsed('SHORT') })
  expect(lapsed).toBe(row?.later_amount)
  const told = await everything(world.db)
    .selectFrom('outbox_message')
    .select(['type', 'data'])
    .where('type', '=', 'message.lapsed')
    .execute()
  expect(told).toMatchObject([
    {
      data: {
        ...{ user_id: `${holder.id}`, claim_code: row?.code_claim, variant: 'Claim' },
        amount: { asset: 'DCT', units: `${row?.later_amount}` },
      },
    },
  ])
  const list = await get(world, holder, '/user/pending-claim-fees')
  expect(list.body.pending_fees).toEqual([])
  for (const [user, path] of [
    [holder, '/user/claim-history'],
    [await givenAdmin(world), '/admin/claim-history'],
  ] as const) {
    const { claims } = (await get(world, user, path)).body
    expect(claims).toMatchObject([
      {
        ...{ state: 'lapsed', is_paid: false, claimed_amount: '1.000000' },
        ...{ lapsed_amount: '0.500000', unpaid_fee_usdt: '0.000000' },
      },
    ])
  }
  await expectBooksToBalance(world)
})

test('a fee paid in time, and left out by a node until whole blocks are read, pays its claim', async () => {
  const holder = await givenHolder(world)
  await claim(world, holder, 'FULL')
  const [row] = await claimRows(world)
  const until = row?.fee_until.getTime() ?? 0
  const paidAt = new Date(until - HOUR_MS)
  const paid = transferEvent(world, {
    value: row?.exact_amount ?? 0n,
    blockNumber: 4_000n,
    at: paidAt,
  })
  clock.set(new Date(until + HOUR_MS))
  await givenBscHead(world, 5_000n, false)
  const soon = { runAgainAt: new Date(clock.now().getTime() + 10 * MINUTE_MS) }
  expect(await closeDue()).toEqual(soon)
  // Whole blocks do not explain what a balance shows: an admin looks at it first.
  await givenBscHead(world, 5_000n)
  const doubt = { kind: 'events_incomplete', subject: 'BSC:5000', at: clock.now() } as const
  await raiseAlarm(world.db, { ...doubt, message: 'Events of BSC are missing.' })
  expect(await closeDue()).toEqual(soon)
  await receive(world, paid)
  await clearAlarm(world.db, doubt)
  await closeDue()
  expect((await claimRows(world))[0]?.state).toBe('paid')
  await expectBooksToBalance(world)
})

test('while more claims wait to lapse than one run takes, the next run follows at once', async () => {
  for (const planCode of ['SHORT-1', 'SHORT-2']) {
    const holder = await givenHolder(world, { planCode })
    await claim(world, holder, 'HALF', { earning_plan_code: planCode })
  }
  const until = (await claimRows(world)).at(-1)?.fee_until ?? clock.now()
  clock.set(new Date(until.getTime() + 1_000))
  await givenBscHead(world, 5_000n)
  const run = () => closeDue({ lapsedAtOnce: 2 })
  expect(await run()).toEqual({ runAgainAt: clock.now() })
  expect(await run()).toEqual({ runAgainAt: new Date(clock.now().getTime() + DAY_MS) })
})

test('a payment for a lapsed claim is listed for the admins', async () => {
  const holder = await givenHolder(world)
  await claim(world, holder, 'FULL')
  const [row] = await claimRows(world)
  clock.set(new Date((row?.fee_until.getTime() ?? 0) + DAY_MS))
  await givenBscHead(world, 5_000n)
  await closeDue()
  await receive(world, transferEvent(world, { value: row?.exact_amount ?? 0n }))
  const receipts = await everything(world.db).selectFrom('usdt_receipt').selectAll().execute()
  expect(receipts).toMatchObject([{ state: 'unmatched', nearest_claim_id: row?.id }])
  await expectBooksToBalance(world)
})

test('a payment after the fee’s last day is late even before the claim has been closed', async () => {
  const holder = await givenHolder(world)
  await claim(world, holder, 'FULL')
  const [row] = await claimRows(world)
  const until = row?.fee_until ?? clock.now()
  clock.set(new Date(until.getTime() + 1))
  const late = transferEvent(world, { value: row?.exact_amount ?? 0n, at: clock.now() })
  await receive(world, late)
  expect((await claimRows(world))[0]?.state).toBe('awaiting_fee')
  const receipts = await everything(world.db).selectFrom('usdt_receipt').selectAll().execute()
  expect(receipts).toMatchObject([{ state: 'unmatched', nearest_claim_id: row?.id }])

  const handedIn = await post(world, holder, '/user/pay-claim-fee', {
    earning_plan_code: 'PLAN-360',
    tx_hash_usdt: hexOf(late.txHash),
  })
  const details = { support_email: 'support@dct.example' }
  expect(handedIn).toMatchObject({ status: 422, body: { code: 'PAYMENT_TOO_LATE', details } })
  expect(handedIn.body.message).toMatch(/Please contact support: support@dct\.example$/)
  const admin = await givenAdmin(world)
  const attached = await post(world, admin, '/admin/unmatched-payments/attach', {
    tx_hash: hexOf(late.txHash),
    log_index: late.logIndex,
    code_claim: row?.code_claim,
  })
  expect(attached).toMatchObject({ status: 422, body: { code: 'PAYMENT_TOO_LATE' } })
  await expectBooksToBalance(world)
})

test('a fee paid at the last moment counts as paid, however late the payment is seen', async () => {
  const holder = await givenHolder(world)
  await claim(world, holder, 'FULL')
  const [row] = await claimRows(world)
  const until = row?.fee_until ?? clock.now()
  clock.set(new Date(until.getTime() + DAY_MS))
  await receive(world, transferEvent(world, { value: row?.exact_amount ?? 0n, at: until }))
  expect((await claimRows(world))[0]).toMatchObject({ state: 'paid', paid_at: until })
})

test('an admin cannot settle their own fee', async () => {
  const holder = await givenHolder(world)
  const { body } = await claim(world, holder, 'FULL')
  const event = transferEvent(world, { value: usdt(body.data.unpaid_fee_usdt) - 1n })
  await receive(world, event)
  await setRole(world, { address: holder.wallet.tronAddress, role: 'admin' })
  const { token } = await inTransaction(world.db, (tx) =>
    openSession({ realClock }, tx, {
      ...{ userId: holder.id, role: 'admin' },
      client: { ip: '127.0.0.1', userAgent: 'test' },
    }),
  )
  const asAdmin = { ...holder, token }
  const attach = await post(world, asAdmin, '/admin/unmatched-payments/attach', {
    tx_hash: hexOf(event.txHash),
    log_index: event.logIndex,
    code_claim: body.data.code_claim,
  })
  expect(attach).toMatchObject({ status: 403, body: { code: 'OWN_FEE' } })
})

test('an amount stays reserved while its fee is open and for 90 days after', async () => {
  const holder = await givenHolder(world)
  await claim(world, holder, 'FULL')
  const [row] = await claimRows(world)
  clock.advanceMs(200 * DAY_MS)
  await closeDue()
  expect(await heldAmounts()).toHaveLength(1)
  await receive(world, transferEvent(world, { value: row?.exact_amount ?? 0n }))
  clock.advanceMs(89 * DAY_MS)
  await closeDue()
  expect(await heldAmounts()).toHaveLength(1)
  clock.advanceMs(2 * DAY_MS)
  await closeDue()
  expect(await heldAmounts()).toEqual([])
})
