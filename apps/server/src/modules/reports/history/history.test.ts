import type { HistoryItem, HistoryReply } from '@dct/api-contract/history'
import { parseAmount } from '@dct/money'
import { businessTimeOf } from '@dct/rules/business-day'
import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { everything } from '../../../testing/all-tables.ts'
import {
  claim,
  claimRows,
  givenHolder,
  payOut,
  receive,
  transferEvent,
} from '../../../testing/claims.ts'
import { elementAt } from '../../../testing/element-at.ts'
import { useFreshClaims } from '../../../testing/fresh-claims.ts'
import { hashOf, passDays } from '../../../testing/stakes.ts'
import { bearer, type TestUser } from '../../../testing/users.ts'
import { hexOf } from '../../chain/index.ts'
import { historyRoutes } from '../history.routes.ts'
import { historyQuery } from './history.queries.ts'

const { world, clock } = useFreshClaims()

beforeAll(async () => {
  const brand = 'Our brand'
  await world.app.register(historyRoutes, { prefix: '/api', ...world, dctDecimals: 6, brand })
})

const ask = (user: TestUser, url: string) =>
  world.app.inject({ url: `/api/user/history${url}`, headers: bearer(user) })
async function historyOf(user: TestUser, query = ''): Promise<HistoryReply> {
  const answer = await ask(user, `?limit=100&${query}`)
  expect([query, answer.statusCode]).toEqual([query, 200])
  return answer.json()
}
const kindsOf = ({ items }: { items: readonly HistoryItem[] }) => items.map(({ kind }) => kind)

/** A holder of PLAN-360 with a HALF claim whose fee was paid and whose halves were sent. */
async function givenStory() {
  const holder = await givenHolder(world, { days: 10 })
  clock.advanceMs(3_600_000)
  expect((await claim(world, holder, 'HALF')).status).toBe(200)
  const made = elementAt(await claimRows(world), -1)
  clock.advanceMs(60_000)
  const first = await payOut(world, `claim:${made.id}:now`)
  clock.advanceMs(60_000)
  const fee = transferEvent(world, { value: made.exact_amount })
  await receive(world, fee)
  clock.advanceMs(60_000)
  const second = await payOut(world, `claim:${made.id}:later`)
  return { holder, made, fee, first, second }
}

test('a history states what happened, when, how much, and the transaction', async () => {
  const { holder, made, fee } = await givenStory()
  const { items, next } = await historyOf(holder)
  expect(next).toBeNull()
  expect(kindsOf({ items })).toEqual([
    ...['reward_sent', 'fee_paid', 'reward_sent', 'claim_made'],
    ...Array.from({ length: 10 }, () => 'reward'),
    ...['capital_locked', 'registered'],
  ])
  expect(items[1]).toMatchObject({
    ...{ at: '2026-03-10T18:02:00.000Z', direction: 'out', asset: 'USDT', chain: 'BSC' },
    ...{ code_claim: made.code_claim, earning_plan_code: 'PLAN-360', claim_type: 'HALF' },
    tx_hash: hexOf(fee.txHash),
  })
  expect(parseAmount('USDT', items[1]?.amount ?? '')).toBe(made.exact_amount)
  // The reward of 11 March (UTC+7) is due at the start of that day.
  expect(items[4]).toMatchObject({
    ...{ at: '2026-03-10T17:00:00.000Z', kind: 'reward', amount: '0.100000', direction: null },
    ...{ first_day: '2026-03-11', last_day: '2026-03-11', days: 1, tx_hash: null },
  })
})

test('a month of an earning is one item, which sums its days', async () => {
  const { holder } = await givenStory()
  await passDays(world.stakes, 25)
  const { items } = await historyOf(holder, 'kind=rewards&rewards=monthly')
  expect(items).toMatchObject([
    { first_day: '2026-04-01', last_day: '2026-04-05', days: 5, amount: '0.500000' },
    { first_day: '2026-03-02', last_day: '2026-03-31', days: 30, amount: '3.000000' },
  ])
})

test('a history can be filtered by kind, plan and days, and read on from any position', async () => {
  const { holder } = await givenStory()
  expect(kindsOf(await historyOf(holder, 'kind=payments'))).toEqual([
    ...['reward_sent', 'fee_paid', 'reward_sent', 'capital_locked'],
  ])
  expect(kindsOf(await historyOf(holder, 'kind=claims&end_date=2026-03-10'))).toEqual([])
  const day = await historyOf(holder, 'start_date=2026-03-05&end_date=2026-03-05')
  expect(day.items).toMatchObject([{ kind: 'reward', first_day: '2026-03-05' }])
  expect((await historyOf(holder, 'earning_plan_code=plan-360')).items).toHaveLength(15)
  expect((await historyOf(holder, 'earning_plan_code=OTHER')).items).toEqual([])
  const whole = await historyOf(holder)
  const place = elementAt(whole.items, 6).id
  const rest = await historyOf(holder, `after=${place}`)
  expect(rest.items).toEqual(whole.items.slice(7))
  for (const wrong of ['after=x', 'after=1-2', 'kind=all', 'page=1', 'start_date=2026-02-30']) {
    expect([wrong, (await ask(holder, `?${wrong}`)).statusCode]).toEqual([wrong, 400])
  }
})

test('no holder can read another’s history, whatever they request', async () => {
  const { holder } = await givenStory()
  const { items } = await historyOf(holder)
  const stranger = await givenHolder(world, { planCode: 'PLAN-B', days: 1 })
  const own = await historyOf(stranger)
  expect(kindsOf(own)).toEqual(['reward', 'capital_locked', 'registered'])
  // A position in another holder's history is only an instant and a number.
  for (const { id } of items) {
    const after = await historyOf(stranger, `after=${id}&sort_order=asc`)
    expect(after.items.every(({ id: one }) => own.items.some((item) => item.id === one))).toBe(true)
  }
  expect((await historyOf(stranger, 'earning_plan_code=PLAN-360')).items).toEqual([])
  for (const name of ['user_id', 'tron_address', 'address', 'staker']) {
    const value = name === 'user_id' ? `${holder.id}` : holder.wallet.tronAddress
    expect((await ask(stranger, `?${name}=${value}`)).statusCode).toBe(400)
    expect((await ask(stranger, `?format=csv&${name}=${value}`)).statusCode).toBe(400)
  }
  const file = await ask(stranger, '?format=csv')
  expect(file.body.split('\r\n')).toHaveLength(own.items.length + 2)
  expect(file.body).not.toContain('PLAN-360')
})

test('failed locks, referral claims and changed percentages are part of a history as well', async () => {
  const holder = await givenHolder(world, { days: 1 })
  const db = everything(world.db)
  const at = clock.now()
  await db
    .insertInto('announced_join')
    .values({
      ...{ tx_hash: hashOf('failed'), user_id: holder.id, staker: holder.address },
      ...{ plan_code: 'PLAN-360', amount: 20_000_000n, reward: 1n, cycles: 360 },
      ...{ announced_at: at, state: 'FAILED', reason: 'LOCK_FAILED' },
    })
    .execute()
  const change = { user_id: holder.id, value: 1_250n, set_by: holder.id, at }
  await db
    .insertInto('setting_change')
    .values({ kind: 'referral_percentage', ...change })
    .execute()
  expect((await historyOf(holder, 'kind=capital')).items[0]).toMatchObject({
    ...{ kind: 'join_failed', direction: null, amount: '20.000000' },
    ...{ reason: expect.stringMatching(/ /), tx_hash: hashOf('failed').toString('hex') },
  })
  expect((await historyOf(holder, 'kind=account')).items[0]).toMatchObject({
    ...{ kind: 'percentage_changed', percentage: '12.5', amount: null },
  })
})

test('Koinly and CoinTracking receive every payment, in their own columns, in UTC and exact', async () => {
  const { holder, made, fee, first, second } = await givenStory()
  const amount = (await historyOf(holder, 'kind=payments')).items[1]?.amount
  const lock = (await historyOf(holder, 'kind=capital')).items[0]?.tx_hash
  const named = `PLAN-360 ${made.code_claim}`
  const koinly = await ask(holder, '?format=koinly')
  expect(koinly.headers['content-disposition']).toBe(
    'attachment; filename="history-koinly-2026-03-11.csv"',
  )
  expect(koinly.body.split('\r\n')).toEqual([
    'Date,Sent Amount,Sent Currency,Received Amount,Received Currency,Fee Amount,Fee Currency,Net Worth Amount,Net Worth Currency,Label,Description,TxHash',
    `2026-03-01 03:00:00 UTC,50.000000,NULL1,,,,,,,add to pool,DCT locked PLAN-360,${lock}`,
    `2026-03-10 18:01:00 UTC,,,0.500000,NULL1,,,,,reward,Reward ${named},${first.toString('hex')}`,
    `2026-03-10 18:02:00 UTC,${amount},USDT,,,,,,,cost,Fee of a claim ${named},${hexOf(fee.txHash)}`,
    `2026-03-10 18:03:00 UTC,,,0.500000,NULL1,,,,,reward,Reward ${named},${second.toString('hex')}`,
    '',
  ])
  const tracking = await ask(holder, '?format=cointracking&start_date=2026-03-11')
  expect(tracking.body.split('\r\n')).toEqual([
    'Type,Buy Amount,Buy Currency,Sell Amount,Sell Currency,Fee,Fee Currency,Exchange,Trade-Group,Comment,Date,Tx-ID,Buy Value in Account Currency,Sell Value in Account Currency,Liquidity pool',
    `Staking,0.500000,DCT,,,,,Our brand,,Reward ${named},2026-03-10 18:01:00,${first.toString('hex')},,,`,
    `Other Fee,,,${amount},USDT,,,Our brand,,Fee of a claim ${named},2026-03-10 18:02:00,${hexOf(fee.txHash)},,,`,
    `Staking,0.500000,DCT,,,,,Our brand,,Reward ${named},2026-03-10 18:03:00,${second.toString('hex')},,,`,
    '',
  ])
})

test('the whole history is also a spreadsheet file, from the first event on, with one line per day', async () => {
  const { holder } = await givenStory()
  const { items } = await historyOf(holder, 'sort_order=asc')
  const file = await ask(holder, '?format=csv')
  const [header = '', ...lines] = file.body.split('\r\n')
  expect(header.startsWith('\ufeffat,kind,direction,asset,amount,')).toBe(true)
  expect(lines.filter((line) => line !== '').map((line) => line.split(',')[0])).toEqual(
    items.map(({ at }) => `${businessTimeOf(new Date(at))} UTC+7`),
  )
})

type Plan = { 'Actual Rows': number; 'Actual Loops': number; Plans?: Plan[] }
/** The number of rows that the scans of a query actually read. */
async function rowsRead(query: RawBuilder<unknown>): Promise<number> {
  const explained = sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`explain (analyze, format json) ${query}`
  const { rows } = await explained.execute(world.db)
  const readBy = (plan: Plan): number =>
    plan.Plans === undefined
      ? plan['Actual Rows'] * plan['Actual Loops']
      : plan.Plans.reduce((sum, part) => sum + readBy(part), 0)
  return readBy(elementAt(rows, 0)['QUERY PLAN'][0].Plan)
}

test('a page reads about as many rows as it shows, in a history of 20,000 items and at any position', async () => {
  const holder = await givenHolder(world, { days: 1 })
  const receiver = { userId: holder.id, address: holder.address }
  const items = 20_000
  await sql`insert into referral_fee (fee_id, payer_id, fee_usdt, direct, indirect)
    select n, ${holder.id}, 1000, 10, 0 from generate_series(1, ${items}::int) n`.execute(world.db)
  await sql`insert into referral_reward (fee_id, receiver_id, kind, row_number, level, rate_bps, amount, running,
      from_address, plan_code, created_at)
    select n, ${holder.id}, 'direct', n, 1, 100, 10, n * 10, ${holder.address}, 'PLAN-360',
      '2026-01-01T00:00:00Z'::timestamptz + n / 50 * interval '1 minute'
    from generate_series(1, ${items}::int) n`.execute(world.db)
  await sql`analyze`.execute(world.db)
  const filter = {
    ...receiver,
    range: {},
    rewards: 'daily',
    direction: 'desc',
  } as const
  expect(await rowsRead(historyQuery(filter, { limit: 50 }))).toBeLessThan(200)
  const middle = await everything(world.db)
    .selectFrom('referral_reward')
    .select(['id', 'created_at as at'])
    .where('fee_id', '=', BigInt(items / 2))
    .executeTakeFirstOrThrow()
  const { rows } = await historyQuery(
    { ...filter, kind: 'referrals' },
    { after: { at: new Date(middle.at.getTime() + 1), source: 0, id: 0n }, limit: 50 },
  ).execute(world.db)
  const after = elementAt(rows, 20)
  for (const direction of ['asc', 'desc'] as const) {
    expect(
      await rowsRead(historyQuery({ ...filter, direction }, { after, limit: 50 })),
    ).toBeLessThan(300)
  }
  // A file of the whole history contains every item once, although its pages end between items with the same time.
  const file = await ask(holder, '?format=csv&kind=referrals')
  const lines = file.body.trim().split('\r\n').slice(1)
  expect([lines.length, new Set(lines).size]).toEqual([items, items])
})
