import { amount, formatUnits, parseAmount } from '@dct/money'
import { CLAIM_KINDS } from '@dct/rules/fees'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../platform/clock.ts'
import { everything } from '../../testing/all-tables.ts'
import {
  claim,
  claimRows,
  expectBooksToBalance,
  get,
  givenHolder,
  givenMarket,
  payOut,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import { useFreshClaims } from '../../testing/fresh-claims.ts'
import { passDays, runDueDays } from '../../testing/stakes.ts'
import { account, balanceOf } from '../ledger/index.ts'

const { world, clock } = useFreshClaims(32)

const dct = (text: string) => parseAmount('DCT', text)
const usdt = (text: string) => parseAmount('USDT', text)
const payouts = () => everything(world.db).selectFrom('payout').selectAll().orderBy('id').execute()
const dctOn = (of: ReturnType<typeof account.claim>) =>
  balanceOf(world.db, { asset: 'DCT', account: of })

test('[API-26, API-50, STATE-10] a FULL claim sends nothing before its fee is paid', async () => {
  const holder = await givenHolder(world)
  const { status, body } = await claim(world, holder, 'FULL')
  expect(status).toBe(200)
  expect(body.data.transaction_hash).toBe(`RW-${body.data.code_claim}`)
  expect(body.data).toMatchObject({
    claim_type: 'FULL',
    now_amount: '0.000000',
    later_amount: '1.000000',
  })
  expect(await payouts()).toEqual([])
  const [row] = await claimRows(world)
  expect(row).toMatchObject({ amount: dct('1'), now_amount: 0n, later_amount: dct('1') })
  expect(await dctOn(account.claim(row?.id ?? 0n))).toBe(dct('1'))
  expect(await dctOn(account.credited('PLAN-360'))).toBe(0n)
  await expectBooksToBalance(world)
})

test('[STATE-11, STATE-12, ENT-11] one half of a HALF claim is sent immediately, an odd base unit is paid with the rest', async () => {
  const holder = await givenHolder(world, { amount: dct('10.0005'), days: 31 })
  const { status, body } = await claim(world, holder, 'half')
  expect(status).toBe(200)
  expect(body.data.transaction_hash).toBe(`RTX-${body.data.code_claim}`)
  const [row] = await claimRows(world)
  const whole = row?.amount ?? 0n
  expect(whole % 2n).toBe(1n)
  expect(row).toMatchObject({ now_amount: whole / 2n, later_amount: whole / 2n + 1n })
  const [payout, ...others] = await payouts()
  expect(others).toEqual([])
  expect(payout).toMatchObject({
    chain: 'TRON',
    cause: `claim:${row?.id}:now`,
    amount: whole / 2n,
    to_address: holder.address,
    plan_code: 'PLAN-360',
  })
  expect(await dctOn(account.claim(row?.id ?? 0n))).toBe(row?.later_amount)
  expect(await dctOn(account.payout(payout?.id ?? 0n))).toBe(row?.now_amount)
  expect(await dctOn(account.credited('PLAN-360'))).toBe(0n)
  await expectBooksToBalance(world)
})

test.each(CLAIM_KINDS)(
  '[CONST-04, CONST-05] the fee of a %s claim is forty per cent of the whole amount plus the energy fee, rounded up to a cent, plus a tail',
  async (type) => {
    await givenMarket(world, '1')
    const holder = await givenHolder(world, { amount: dct('12.345678'), days: 90 })
    const before = await get(world, holder, '/user/claimable-reward')
    const [reward] = before.body.claimable_rewards
    const { body } = await claim(world, holder, type)
    const [row] = await claimRows(world)
    const claimed = row?.amount ?? 0n
    expect(row?.unpaid_fee).toBe((claimed * 4n) / 10n)
    expect(row?.fee_usdt).toBe(((claimed * 4n) / 10n) * 10n ** 12n)
    expect(row?.energy_fee).toBe(usdt('0.10'))
    const exact = amount('USDT', row?.exact_amount ?? 0n)
    expect(formatUnits(exact, 18)).toMatch(/\.\d{5}[1-9]$/)
    const cent = exact - (exact % 10n ** 16n)
    const sum = (row?.fee_usdt ?? 0n) + usdt('0.10')
    expect(cent).toBeGreaterThanOrEqual(sum)
    expect(cent - 10n ** 16n).toBeLessThan(sum)
    expect(usdt(reward.estimated_fee_usdt)).toBe(cent + 10n ** 16n)
    expect(usdt(body.data.unpaid_fee_usdt)).toBe(exact)
    expect(body.data.unpaid_fee_usdt).toMatch(/^\d+\.\d{5}[1-9]$/)
  },
)

test('[ENT-07, API-19, API-49] claimable rewards are listed with fee, parts and dates', async () => {
  const holder = await givenHolder(world, { amount: dct('50'), days: 10 })
  const { status, body } = await get(world, holder, '/user/claimable-reward')
  expect(status).toBe(200)
  expect(body.claimable_rewards).toMatchObject([
    {
      earning_plan_code: 'PLAN-360',
      total_claimable: '1.000000',
      estimated_fee_usdt: '0.510000',
      is_fee_known: true,
      unpaid_fee: '0.400000',
      fee_usdt: '0.400000',
      energy_fee_usdt: '0.100000',
      price_usdt: '1.00000000',
      parts: {
        FULL: { now_amount: '0.000000', later_amount: '1.000000' },
        HALF: { now_amount: '0.500000', later_amount: '0.500000' },
      },
      value_usdt: '1.000000',
      net_usdt: '0.490000',
      costs_more_than_it_brings: false,
      can_claim: true,
      refusal_code: null,
      first_cycle: 1,
      last_cycle: 10,
      claim_until: '2027-08-23T03:00:00.000Z',
      fee_until: '2027-09-22T03:00:00.000Z',
    },
  ])
  await claim(world, holder, 'FULL')
  const listed = async () =>
    (await get(world, holder, '/user/claimable-reward')).body.claimable_rewards
  expect(await listed()).toEqual([])
  await passDays(world.stakes, 3)
  expect(await listed()).toMatchObject([
    { total_claimable: '0.300000', first_cycle: 11, last_cycle: 13, has_open_fee: true },
  ])
})

test('[T050] without a current price there is no estimate and no claim', async () => {
  const holder = await givenHolder(world)
  await sql`truncate setting_change`.execute(world.db)
  const list = await get(world, holder, '/user/claimable-reward')
  expect(list.body.claimable_rewards).toMatchObject([
    { is_fee_known: false, can_claim: false, refusal_code: 'PRICE_UNAVAILABLE' },
  ])
  const { status, body } = await claim(world, holder, 'FULL')
  expect(status).toBe(503)
  expect(body.code).toBe('PRICE_UNAVAILABLE')
  expect(await claimRows(world)).toEqual([])
  expect(await dctOn(account.credited('PLAN-360'))).toBe(dct('1'))
})

test('[T046] 0.599999 DCT is too little, 0.6 is enough', async () => {
  const poor = await givenHolder(world, { amount: dct('29.99995'), days: 10 })
  const refused = await claim(world, poor, 'FULL')
  expect(refused).toMatchObject({
    status: 422,
    body: { code: 'BELOW_MINIMUM_CLAIM', message: 'Minimum claim amount is 0.6 DCT!' },
  })
  expect(await claimRows(world)).toEqual([])
  expect(await dctOn(account.credited('PLAN-360'))).toBe(dct('0.599999'))

  const rich = await givenHolder(world, { amount: dct('30'), days: 10, planCode: 'PLAN-30' })
  const done = await claim(world, rich, 'FULL', { earning_plan_code: 'PLAN-30' })
  expect(done).toMatchObject({ status: 200, body: { data: { later_amount: '0.600000' } } })
})

test('after the last cycle any amount can be claimed, even a single unit', async () => {
  const holder = await givenHolder(world, { amount: dct('10'), days: 30 })
  await claim(world, holder, 'FULL')
  const [first] = await claimRows(world)
  await receive(world, transferEvent(world, { value: first?.exact_amount ?? 0n }))
  await passDays(world.stakes, 15)
  expect((await claim(world, holder, 'FULL')).body.code).toBe('BELOW_MINIMUM_CLAIM')
  // The earlier cycles are claimed or lapse after the grace period, so only the last ones remain.
  for (let claims = 0; claims < 12; claims += 1) {
    await passDays(world.stakes, 30)
    if ((await claim(world, holder, 'FULL')).status !== 200) continue
    const open = (await claimRows(world)).at(-1)
    await receive(world, transferEvent(world, { value: open?.exact_amount ?? 0n }))
  }
  const { body } = await get(world, holder, '/user/claimable-reward')
  const rows = await claimRows(world)
  expect(rows.at(-1)?.last_cycle).toBe(360)
  expect(body.claimable_rewards).toEqual([])
})

test('[T046] holders cannot claim rewards of others', async () => {
  await givenHolder(world)
  const other = await givenHolder(world, { planCode: 'PLAN-720' })
  expect(await claim(world, other, 'FULL')).toMatchObject({
    status: 404,
    body: { code: 'EARNING_NOT_FOUND' },
  })
})

test('a claim without a plan, or of a type other than FULL or HALF, is refused', async () => {
  const holder = await givenHolder(world)
  for (const earning_plan_code of ['', '  ', undefined]) {
    expect(await claim(world, holder, 'FULL', { earning_plan_code })).toMatchObject({
      status: 400,
      body: { message: 'Select Earning Plan first!' },
    })
  }
  expect((await claim(world, holder, 'DOUBLE')).status).toBe(400)
  expect((await claim(world, holder, 'FULL', { amount: '5' })).body.code).toBe('UNKNOWN_FIELD')
})

test('[T044] of sixteen concurrent claims one succeeds; the others are refused with its fee', async () => {
  for (let round = 0; round < 5; round += 1) {
    const holder = await givenHolder(world, { planCode: `P-${round}` })
    const extra = { earning_plan_code: `P-${round}` }
    const all = await Promise.all(
      Array.from({ length: 16 }, () => claim(world, holder, 'FULL', extra)),
    )
    const done = all.filter(({ status }) => status === 200)
    expect(done).toHaveLength(1)
    for (const { status, body } of all.filter((one) => one.status !== 200)) {
      expect(status).toBe(409)
      expect(body.code).toBe('CLAIM_FEE_OPEN')
      expect(body.details).toMatchObject({
        code_claim: done[0]?.body.data.code_claim,
        unpaid_fee_usdt: done[0]?.body.data.unpaid_fee_usdt,
      })
    }
  }
  expect(await claimRows(world)).toHaveLength(5)
  await expectBooksToBalance(world)
})

test('[T045] concurrent HALF and FULL claims result in one claim whose parts add up to the whole', async () => {
  const holder = await givenHolder(world)
  const types = Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? 'FULL' : 'HALF'))
  const all = await Promise.all(types.map((type) => claim(world, holder, type)))
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  const [row, ...others] = await claimRows(world)
  expect(others).toEqual([])
  expect((row?.now_amount ?? 0n) + (row?.later_amount ?? 0n)).toBe(dct('1'))
  expect(await payouts()).toHaveLength(row?.kind === 'HALF' ? 1 : 0)
  await expectBooksToBalance(world)
})

test('[T047] an earning frozen because it was not claimed can still be claimed', async () => {
  const holder = await givenHolder(world, { days: 36 })
  const { status, body } = await claim(world, holder, 'FULL')
  expect(status).toBe(200)
  // The 30 cycles and the 3 of the grace period were credited.
  expect(body.data.later_amount).toBe('3.300000')
})

test('[STATE-13] [T048] cycles credited while a fee is open are left for the next claim, and the open claim never changes', async () => {
  const holder = await givenHolder(world)
  await claim(world, holder, 'HALF')
  await passDays(world.stakes, 7)
  expect((await claim(world, holder, 'FULL')).body.code).toBe('CLAIM_FEE_OPEN')
  const [open] = await claimRows(world)
  expect(open).toMatchObject({ amount: dct('1'), first_cycle: 1, last_cycle: 10 })
  const list = await get(world, holder, '/user/claimable-reward')
  expect(list.body.claimable_rewards).toMatchObject([
    { total_claimable: '0.700000', has_open_fee: true, refusal_code: 'CLAIM_FEE_OPEN' },
  ])
  await receive(world, transferEvent(world, { value: open?.exact_amount ?? 0n }))
  const next = await claim(world, holder, 'FULL')
  expect(next.body.data.later_amount).toBe('0.700000')
  const [, second] = await claimRows(world)
  expect(second).toMatchObject({ first_cycle: 11, last_cycle: 17 })
})

test('[T051] claims during the daily run take each cycle exactly once and in full', async () => {
  const holders = []
  for (let at = 0; at < 12; at += 1) {
    holders.push(await givenHolder(world, { days: at === 11 ? 10 : 0 }))
  }
  for (let day = 0; day < 4; day += 1) {
    clock.advanceMs(DAY_MS)
    const run = runDueDays(world.stakes)
    const claims = holders.map((holder, at) => claim(world, holder, at % 2 ? 'HALF' : 'FULL'))
    await Promise.all([run, ...claims])
    for (const open of (await claimRows(world)).filter(({ state }) => state === 'awaiting_fee')) {
      await receive(world, transferEvent(world, { value: open.exact_amount }))
    }
  }
  const rows = await claimRows(world)
  expect(rows).not.toEqual([])
  for (const row of rows) {
    const cycles = await everything(world.db)
      .selectFrom('reward_cycle_view')
      .select((eb) => [
        eb.fn.sum<bigint>('amount').as('amount'),
        eb.fn.countAll<bigint>().as('count'),
      ])
      .where('earning_id', '=', row.earning_id)
      .where('cycle', '>=', row.first_cycle)
      .where('cycle', '<=', row.last_cycle)
      .executeTakeFirstOrThrow()
    expect(cycles).toEqual({
      amount: row.amount,
      count: BigInt(row.last_cycle - row.first_cycle + 1),
    })
    const others = rows.filter(({ earning_id }) => earning_id === row.earning_id)
    const overlapping = others.filter(
      (other) => other.first_cycle <= row.last_cycle && row.first_cycle <= other.last_cycle,
    )
    expect(overlapping).toHaveLength(1)
  }
  await expectBooksToBalance(world)
})

test('[ENT-11] the immediate half shows its transaction hash once it is final', async () => {
  const holder = await givenHolder(world)
  const { body } = await claim(world, holder, 'HALF')
  const [row] = await claimRows(world)
  const halves = () => get(world, holder, '/user/get-claimed-rewards/PLAN-360')
  expect((await halves()).body.claimed_rewards).toMatchObject([
    {
      code_claim: body.data.code_claim,
      claim_type: 'HALF',
      claimed_amount: '0.500000',
      claimed_trx_hash: `RTX-${body.data.code_claim}`,
    },
  ])
  const hash = await payOut(world, `claim:${row?.id}:now`)
  expect((await halves()).body.claimed_rewards[0].claimed_trx_hash).toBe(hash.toString('hex'))
})
