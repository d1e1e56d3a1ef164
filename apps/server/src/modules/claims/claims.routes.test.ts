import { formatAmount, parseAmount } from '@dct/money'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, businessDayOf } from '../../platform/clock.ts'
import {
  type ClaimsWorld,
  claim,
  claimRows,
  createClaimsWorld,
  get,
  givenAdmin,
  givenHolder,
  givenMarket,
  payOut,
  post,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { expectPages } from '../../testing/expect-pages.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { passDays } from '../../testing/stakes.ts'
import type { TestUser } from '../../testing/users.ts'
import { hexOf } from '../chain/index.ts'

const clock = new ManualClock('2026-03-01T03:00:00Z')
const database = useTestDatabase()
let world: ClaimsWorld
let admin: TestUser
/** Has three claims in PLAN-360: one cancelled, one paid and sent, one open. */
let ayu: TestUser
/** Has one open HALF claim in PLAN-B. */
let budi: TestUser

beforeAll(async () => {
  world = await createClaimsWorld(database.db, clock)
  await givenMarket(world)
  admin = await givenAdmin(world)
  ayu = await givenHolder(world, { days: 8 })
  const { body } = await claim(world, ayu, 'FULL')
  await passDays(world.stakes, 2)
  await post(world, ayu, '/user/cancel-claim', { code_claim: body.data.code_claim })
  await claim(world, ayu, 'HALF')
  const [, second] = await claimRows(world)
  await receive(world, transferEvent(world, { value: second?.exact_amount ?? 0n }))
  for (const part of ['now', 'later']) await payOut(world, `claim:${second?.id}:${part}`)
  await passDays(world.stakes, 8)
  await claim(world, ayu, 'FULL')
  budi = await givenHolder(world, { planCode: 'PLAN-B', amount: parseAmount('DCT', '40') })
  await claim(world, budi, 'HALF', { earning_plan_code: 'PLAN-B' })
})
afterAll(() => world.app.close())

const spelled = (instant: string) =>
  new Intl.DateTimeFormat('id-ID', { month: 'short', timeZone: 'Asia/Jakarta' }).format(
    new Date(instant),
  )
const exactOf = (row: { exact_amount: bigint } | undefined) =>
  formatAmount('USDT', row?.exact_amount ?? 0n)
const dayAfter = (row: { requested_at: Date } | undefined) =>
  addDays(businessDayOf(row?.requested_at ?? new Date(0)), 1)
const amountText = expect.stringMatching(/^\d+\.\d{6}$/)
const hash = expect.stringMatching(/^[0-9a-f]{64}$/)

test("[ENT-10, API-24] the fees of a user's claims are listed, unpaid ones first", async () => {
  const { status, body } = await get(world, ayu, '/user/pending-claim-fees')
  expect(status).toBe(200)
  expect(body).toMatchObject({ total: 2, totalPages: 1, page: 1, limit: 10 })
  const rows = await claimRows(world)
  expect(body.pending_fees).toMatchObject([
    {
      earning_plan_code: 'PLAN-360',
      claim_type: 'FULL',
      code_claim: rows[2]?.code_claim,
      pending_token_amount: '0.800000',
      claimed_amount: '0.000000',
      unpaid_fee: '0.320000',
      unpaid_fee_usdt: exactOf(rows[2]),
      exact_fee_usdt: exactOf(rows[2]),
      is_paid: false,
      deadline: null,
      tx_hash_usdt: null,
      tx_hash_reward: null,
      claimed_trx_hash: null,
      claim_date: rows[2]?.requested_at.toISOString(),
      receiver_address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      network: 'BSC (BEP20)',
      fee_usdt: '0.320000',
      energy_fee_usdt: '0.100000',
      cancellable_from: expect.any(String),
    },
    {
      code_claim: rows[1]?.code_claim,
      claim_type: 'HALF',
      pending_token_amount: '1.000000',
      claimed_amount: '0.500000',
      unpaid_fee_usdt: '0.000000',
      exact_fee_usdt: exactOf(rows[1]),
      now_amount: '0.500000',
      later_amount: '0.500000',
      is_paid: true,
      deadline: rows[1]?.deadline?.toISOString(),
      tx_hash_usdt: hexOf(rows[1]?.fee_tx ?? Buffer.alloc(0)),
      tx_hash_reward: hash,
      claimed_trx_hash: hash,
      cancellable_from: null,
      status: 'Done',
    },
  ])
})

test('only an open FULL claim can be cancelled, from 24 hours after the request', async () => {
  const claims = await claimRows(world)
  const lists = await Promise.all(
    [ayu, budi].map((user) => get(world, user, '/user/pending-claim-fees')),
  )
  const shown = lists.flatMap(({ body }) => body.pending_fees)
  const from = (kind: string, state: string) => {
    const claim = claims.find((one) => one.kind === kind && one.state === state)
    const fee = shown.find(({ code_claim }) => code_claim === claim?.code_claim)
    return { asked: claim?.requested_at, from: fee?.cancellable_from }
  }
  const open = from('FULL', 'awaiting_fee')
  expect(Date.parse(open.from) - Number(open.asked)).toBe(24 * 3_600_000)
  expect(from('HALF', 'paid').from).toBeNull()
  expect(from('HALF', 'awaiting_fee').from).toBeNull()
})

test('[API-24] fees can be paged, searched, filtered and sorted; unknown fields and sorts are refused', async () => {
  const list = (query: string) => get(world, ayu, `/user/pending-claim-fees?${query}`)
  await expectPages(async (query) => (await list(query)).body, 'pending_fees')
  expect((await list('is_paid=true')).body.pending_fees).toHaveLength(1)
  expect((await list('search=plan-3')).body.total).toBe(2)
  expect((await list('search=plan-9')).body.total).toBe(0)
  const { claim_date, pending_token_amount } = (await list('')).body.pending_fees[0]
  const month = spelled(claim_date)
  expect((await list(`search=${month}`)).body.total).toBe(2)
  expect((await list(`search=${pending_token_amount}`)).body.total).toBeGreaterThan(0)
  expect((await list('search=31 Des 1999')).body.total).toBe(0)
  const sorted = await list('sort_by=unpaid_fee_usdt&sort_order=asc')
  expect(sorted.body.pending_fees).toMatchObject([
    { is_paid: false },
    { is_paid: true, unpaid_fee_usdt: '0.000000' },
  ])
  expect(await list('sort_by=price')).toMatchObject({ status: 400, body: { code: 'BAD_SORT' } })
  expect(await list('user_id=1')).toMatchObject({ status: 400, body: { code: 'UNKNOWN_FIELD' } })
})

test("[ENT-09, API-28] a user's claim history has every field, latest first, also of a claim that was cancelled", async () => {
  const { body } = await get(world, ayu, '/user/claim-history?page=1&limit=10')
  const rows = await claimRows(world)
  expect(body).toMatchObject({ total: 3, totalPages: 1 })
  expect(body.claims).toMatchObject([
    {
      claim_date: rows[2]?.requested_at.toISOString(),
      plan_code: 'PLAN-360',
      earning_plan_code: 'PLAN-360',
      claimed_amount: '0.800000',
      pending_token_amount: '0.800000',
      claim_type: 'FULL',
      is_paid: false,
      unpaid_fee_usdt: amountText,
      tx_hash_usdt: null,
      tx_hash_reward: null,
      trx_hash: `RW-${rows[2]?.code_claim}`,
    },
    {
      claim_type: 'HALF',
      is_paid: true,
      claimed_amount: '1.000000',
      unpaid_fee_usdt: '0.000000',
      exact_fee_usdt: exactOf(rows[1]),
      tx_hash_usdt: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      tx_hash_reward: hash,
      trx_hash: hash,
    },
    {
      ...{ claim_type: 'FULL', state: 'cancelled', is_paid: false },
      ...{ claimed_amount: '0.800000', lapsed_amount: '0.000000', unpaid_fee_usdt: '0.000000' },
    },
  ])
  for (const claimed of body.claims) expect(claimed).not.toHaveProperty('tron_address')
})

test('[API-28] the history is filtered by plan and by business days, and sorted', async () => {
  const list = async (query: string) => (await get(world, ayu, `/user/claim-history?${query}`)).body
  expect((await list('plan_code=PLAN-B')).total).toBe(0)
  expect((await list('plan_code=PLAN-360')).total).toBe(3)
  const rows = await claimRows(world)
  const day = businessDayOf(rows[1]?.requested_at ?? new Date(0))
  expect((await list(`start_date=${day}&end_date=${day}`)).claims).toMatchObject([
    { claim_type: 'HALF' },
  ])
  expect((await list(`start_date=${dayAfter(rows[1])}`)).claims).toMatchObject([
    { claim_type: 'FULL' },
  ])
  const rising = await list('sort_by=claimed_amount&sort_order=asc')
  expect(rising.claims.map((one: { claimed_amount: string }) => one.claimed_amount)).toEqual([
    '0.800000',
    '0.800000',
    '1.000000',
  ])
  expect((await list('start_date=2026-13-01')).code).toBe('BAD_DATE')
})

test.each([
  ['Yes', ['paid']],
  ['dibayar: ya', ['paid']],
  ['Paid: No', ['awaiting_fee', 'cancelled']],
  ['cancel', ['cancelled']],
  ['awaiting', ['awaiting_fee']],
  ['lapsed', []],
])('a holder’s own claims are found by the state that they show: %s', async (shown, states) => {
  const { body } = await get(world, ayu, `/user/claim-history?search=${encodeURIComponent(shown)}`)
  expect(body.claims.map(({ state }: { state: string }) => state)).toEqual(states)
})

test.each(['/user/claim-history', '/user/user-claim-history'])(
  '[API-21] %s includes cancelled claims',
  async (path) => {
    const { body } = await get(world, ayu, path)
    expect(body.claims.map(({ state }: { state: string }) => state)).toEqual([
      'awaiting_fee',
      'paid',
      'cancelled',
    ])
  },
)

test('[API-25] the immediate halves of HALF claims are listed per plan, and for all plans at once', async () => {
  const own = await get(world, ayu, '/user/get-claimed-rewards/PLAN-360')
  expect(own.body.claimed_rewards).toMatchObject([
    { claim_type: 'HALF', claimed_amount: '0.500000' },
  ])
  const typed = await get(world, ayu, '/user/get-claimed-rewards/%20plan-360')
  expect(typed.body).toEqual(own.body)
  const none = await get(world, ayu, '/user/get-claimed-rewards/PLAN-B')
  expect(none.body.claimed_rewards).toEqual([])
  const all = await get(world, ayu, '/user/get-claimed-rewards')
  expect(all.body.claimed_rewards).toMatchObject([
    { earning_plan_code: 'PLAN-360', claimed_amount: '0.500000' },
  ])
  const others = await get(world, budi, '/user/get-claimed-rewards')
  expect(others.body.claimed_rewards).toMatchObject([{ earning_plan_code: 'PLAN-B' }])
})

test('[T011] a holder can neither see nor change anything of another holder', async () => {
  const rows = await claimRows(world)
  const foreign = rows.at(-1)?.code_claim ?? ''
  const body = { earning_plan_code: 'PLAN-B', tx_hash_usdt: `0x${'1'.repeat(64)}` }
  const pay = await post(world, ayu, '/user/pay-claim-fee', { ...body, code_claim: foreign })
  expect(pay).toMatchObject({ status: 404, body: { code: 'CLAIM_NOT_FOUND' } })
  const none = await post(world, ayu, '/user/pay-claim-fee', body)
  expect(none).toMatchObject({ status: 404, body: { code: 'NO_OPEN_FEE' } })
  for (const url of [
    '/user/claim-history',
    '/user/user-claim-history',
    '/user/pending-claim-fees',
  ]) {
    const reply = JSON.stringify((await get(world, ayu, `${url}?search=${foreign}`)).body)
    expect(reply).not.toContain(foreign)
  }
})

test('[API-38, API-71] admins see all claims, filtered by plan, address and hash', async () => {
  const list = async (query = '') => (await get(world, admin, `/admin/claim-history?${query}`)).body
  const all = await list()
  expect(all).toMatchObject({ total: 4, totalPages: 1, is_total_capped: false })
  expect(all.claims[0]).toMatchObject({
    tron_address: budi.wallet.tronAddress,
    plan_code: 'PLAN-B',
    claim_type: 'HALF',
  })
  await expectPages(list, 'claims')
  expect((await list('earning_plan_code=PLAN-B')).total).toBe(1)
  const rows = await claimRows(world)
  expect((await list(`start_date=${dayAfter(rows[1])}`)).total).toBe(2)
  expect(
    (await list(`end_date=${businessDayOf(rows[1]?.requested_at ?? clock.now())}`)).total,
  ).toBe(2)
  expect((await list(`search=${ayu.wallet.tronAddress.slice(0, 12)}`)).total).toBe(3)
  expect((await list(`search=${hexOf(rows[1]?.fee_tx ?? Buffer.alloc(0))}`)).total).toBe(1)
  expect((await list(`search=${rows[1]?.later_tx?.toString('hex')}`)).total).toBe(1)
  expect((await list(`search=${rows[3]?.code_claim}`)).total).toBe(1)
  expect((await list('search=plan-b')).total).toBe(1)
  const { tronAddress } = ayu.wallet
  expect((await list(`search=${tronAddress.slice(-6)}`)).total).toBe(3)
  expect((await list(`search=${tronAddress.slice(0, 5)}...${tronAddress.slice(-5)}`)).total).toBe(3)
  const later = rows[1]?.later_tx?.toString('hex').toUpperCase() ?? ''
  expect((await list(`search=${later.slice(-9)}`)).total).toBe(1)
  expect((await list(`search=${later.slice(0, 5)}...${later.slice(-5)}`)).total).toBe(1)
  expect((await list("search=' or 1=1")).total).toBe(0)
})

test('[API-40] admins see the full history of one user', async () => {
  const url = `/admin/user-claim-history?tron_address=${ayu.wallet.tronAddress}`
  const { body } = await get(world, admin, url)
  expect(body.total).toBe(3)
  await expectPages(async (query) => (await get(world, admin, `${url}&${query}`)).body, 'claims')
  expect(body.claims.map(({ state }: { state: string }) => state)).toContain('cancelled')
  const bad = await get(world, admin, '/admin/user-claim-history?tron_address=T1')
  expect(bad).toMatchObject({ status: 400, body: { code: 'BAD_ADDRESS' } })
})

test.each([
  'claim_date',
  'plan_code',
  'tron_address',
  'claimed_amount',
  'claim_type',
  'is_paid',
  'unpaid_fee_usdt',
])("the admins' list can be sorted by %s in both directions", async (column) => {
  const sorted = async (order: string) => {
    const url = `/admin/claim-history?sort_by=${column}&sort_order=${order}`
    const { body } = await get(world, admin, url)
    return body.claims.map((one: { code_claim: string }) => one.code_claim)
  }
  expect(await sorted('asc')).toEqual((await sorted('desc')).reverse())
})

test.each([
  ['', 'Please enter the payment hash.'],
  ['   ', 'Please enter the payment hash.'],
  [undefined, 'Please enter the payment hash.'],
  [`0x${'a'.repeat(63)}`, 'Invalid hash format. Please enter a valid BSC transaction hash.'],
  [`0x${'a'.repeat(65)}`, 'Invalid hash format. Please enter a valid BSC transaction hash.'],
  ['a'.repeat(64), 'Invalid hash format. Please enter a valid BSC transaction hash.'],
  [`0X${'a'.repeat(64)}`, 'Invalid hash format. Please enter a valid BSC transaction hash.'],
  [`0x${'g'.repeat(64)}`, 'Invalid hash format. Please enter a valid BSC transaction hash.'],
  [
    `https://bscscan.com/tx/0x${'a'.repeat(64)}`,
    'Invalid hash format. Please enter a valid BSC transaction hash.',
  ],
])('[T061] the payment hash %j is refused: %s', async (tx_hash_usdt, message) => {
  const body = {
    earning_plan_code: 'PLAN-360',
    ...(tx_hash_usdt === undefined ? {} : { tx_hash_usdt }),
  }
  expect(await post(world, ayu, '/user/pay-claim-fee', body)).toMatchObject({
    status: 400,
    body: { message },
  })
})

test('[T062] while no node answers, a payment is accepted as submitted, never refused', async () => {
  const body = { earning_plan_code: 'PLAN-360', tx_hash_usdt: ` 0x${'A'.repeat(64)} ` }
  const { status, body: reply } = await post(world, ayu, '/user/pay-claim-fee', body)
  expect(status).toBe(202)
  expect(reply).toMatchObject({
    status: 'submitted',
    message: expect.stringContaining('submitted'),
  })
  const { body: list } = await get(world, ayu, '/user/pending-claim-fees')
  expect(list.pending_fees[0]).toMatchObject({
    is_paid: false,
    hint: { tx_hash: `0x${'a'.repeat(64)}`, is_checking: true, problem_code: null },
  })
})

test('visitors have no access', async () => {
  for (const url of [
    '/user/claimable-reward',
    '/user/pending-claim-fees',
    '/admin/claim-history',
  ]) {
    expect((await world.app.inject({ url: `/api${url}` })).statusCode).toBe(401)
  }
})
