import { amount } from '@dct/money'
import { expect, test } from 'vitest'
import type { Plan } from '../plans/index.ts'
import type { StoredReading } from './funds.queries.ts'
import type { MoneyPosition } from './money-position.queries.ts'
import { findShortages, lastsDays } from './shortages.ts'

const now = new Date('2026-01-10T03:00:00Z')
const USDT = 10n ** 18n
const TRX = 1_000_000n
const plan = { code: 'PLAN-1', totalReward: amount('DCT', 1_000n), isActive: true } as Plan
const NO_DCT = {
  promised: 0n,
  credited: 0n,
  awaitingFee: 0n,
  awaitingPayout: 0n,
  lapsed: 0n,
  ...{ locked: 0n, paid: 0n },
}
const NO_USDT = {
  ...{ referralUnclaimed: 0n, referralRequested: 0n, awaitingPayout: 0n, unmatched: 0n },
  ...{ payoutWallet: 0n, feeReceiver: 0n, fees: 0n, paid: 0n },
}

function position(changes: Partial<MoneyPosition> = {}): MoneyPosition {
  const figures = { ...NO_DCT, free: 1_000n, pool: 1_000n }
  return {
    plans: [{ plan, figures }],
    usdt: NO_USDT,
    openPayouts: { tron: 0, bsc: 0 },
    ...changes,
  }
}

const PLENTY: Record<string, bigint> = {
  reward_pool: 1_000n,
  'reward_pool:PLAN-1': 1_000n,
  operator_trx: 1_000_000n * TRX,
  payout_usdt: 1_000n * USDT,
  payout_bnb: 10n * USDT,
}
function read(changes: Record<string, bigint> = {}, readAt = now) {
  return new Map<string, StoredReading>(
    Object.entries({ ...PLENTY, ...changes }).map(([name, held]) => [
      name,
      { name, amount: held, readAt, failedAt: null },
    ]),
  )
}
const NOTHING_SPENT = { count: 0, fees: 0n }
const costs = {
  rewardPayouts: NOTHING_SPENT,
  operatorCalls: NOTHING_SPENT,
  referralPayouts: NOTHING_SPENT,
  energyFees: { count: 0, amount: 0n },
}
const prices = { energyFee: USDT / 10n, trxPrice: (3n * USDT) / 10n }
const NOTHING = { position: position(), readings: read(), days: [], costs, prices, now }
const codes = (inputs: Partial<Parameters<typeof findShortages>[0]>) =>
  findShortages({ ...NOTHING, ...inputs }).map(
    ({ code, severity, subject }) => `${severity} ${code} ${subject}`,
  )

test('with ample funds nothing is short', () => {
  expect(codes({})).toEqual([])
})

test('a balance never read, or not for more than five minutes, is unknown rather than zero', () => {
  const unknown = ['reward_pool', 'operator_trx', 'payout_usdt', 'payout_bnb'].map(
    (name) => `bad FUNDS_UNKNOWN ${name}`,
  )
  expect(codes({ readings: new Map() })).toEqual(unknown)
  const minutesAgo = (count: number) => new Date(now.getTime() - count * 60_000)
  expect(codes({ readings: read({}, minutesAgo(5)) })).toEqual([])
  expect(codes({ readings: read({}, minutesAgo(6)) })).toEqual(unknown)
})

test('a plan’s pool on chain must cover everything owed to its holders', () => {
  const owed = { promised: 400n, credited: 300n, awaitingFee: 200n, awaitingPayout: 50n }
  const plans = [{ plan, figures: { ...NO_DCT, ...owed, lapsed: 50n, free: 100n, pool: 1_050n } }]
  const readings = (held: bigint) => read({ 'reward_pool:PLAN-1': held })
  expect(codes({ position: position({ plans }), readings: readings(950n) })).toEqual([])
  expect(codes({ position: position({ plans }), readings: readings(949n) })).toEqual([
    'bad POOL_SHORT PLAN-1',
  ])
})

test('an open plan with less than a tenth left is nearly full; a closed one raises no warning', () => {
  const withFree = (free: bigint, isActive: boolean) =>
    position({
      plans: [{ plan: { ...plan, isActive }, figures: { ...NO_DCT, free, pool: free } }],
    })
  expect(codes({ position: withFree(100n, true) })).toEqual([])
  expect(codes({ position: withFree(99n, true) })).toEqual(['warn PLAN_NEARLY_FULL PLAN-1'])
  expect(codes({ position: withFree(99n, false) })).toEqual([])
})

test('the vault is compared with current claims and with everything owed', () => {
  const usdt = {
    ...NO_USDT,
    awaitingPayout: 5n * USDT,
    referralRequested: 5n * USDT,
    referralUnclaimed: 10n * USDT,
  }
  const held = (wallet: bigint) =>
    codes({ position: position({ usdt }), readings: read({ payout_usdt: wallet }) })
  expect(held(20n * USDT)).toEqual([])
  expect(held(20n * USDT - 1n)).toEqual(['warn WALLET_SHORT_LATER payout_usdt'])
  expect(held(10n * USDT)).toEqual(['warn WALLET_SHORT_LATER payout_usdt'])
  expect(held(10n * USDT - 1n)).toEqual(['bad WALLET_SHORT_NOW payout_usdt'])
})

test('TRX and BNB must cover the waiting payouts and a hundred more', () => {
  const openPayouts = { tron: 10, bsc: 0 }
  const trx = (held: bigint) =>
    codes({ position: position({ openPayouts }), readings: read({ operator_trx: held * TRX }) })
  expect(trx(1_100n)).toEqual([])
  expect(trx(1_099n)).toEqual(['warn TRX_LOW operator_trx'])
  expect(trx(199n)).toEqual(['bad TRX_LOW operator_trx'])
  const bnb = (wei: bigint) => codes({ readings: read({ payout_bnb: wei }) })
  expect(bnb(5n * 10n ** 16n)).toEqual([])
  expect(bnb(5n * 10n ** 16n - 1n)).toEqual(['warn BNB_LOW payout_bnb'])
})

const days = (...amounts: (bigint | null)[]) =>
  amounts.map((held, index) => ({
    day: `2026-01-0${index + 1}`,
    figures: new Map([['operator_trx', held]]),
  }))

test('the days that a fund lasts follow from its daily decreases; top-ups and unknown days do not count', () => {
  const lasts = (held: bigint, ...seen: (bigint | null)[]) =>
    lastsDays('operator_trx', { days: days(...seen), readings: read({ operator_trx: held }) })
  expect(lasts(50n, 100n, 90n, 80n)).toBe(5)
  expect(lasts(50n, 100n, 90n, 500n, 490n)).toBe(7)
  expect(lasts(50n, 100n, null, 90n)).toBe(5)
  expect(lasts(50n, 100n)).toBeUndefined()
  expect(lasts(50n, 100n, 100n, 120n)).toBeUndefined()
})

test('a fund that will run out within two weeks is reported', () => {
  const readings = read({ operator_trx: 139_999n * TRX })
  const pace = days(500_000n * TRX, 490_000n * TRX)
  expect(codes({ readings, days: pace })).toEqual(['warn RUNS_DRY operator_trx'])
  const more = read({ operator_trx: 140_000n * TRX })
  expect(codes({ readings: more, days: pace })).toEqual([])
})

test('a payout, failed attempts included, must not cost more than the energy fee earns', () => {
  const paid = (count: number, sun: bigint) => ({
    ...costs,
    rewardPayouts: { count, fees: sun },
  })
  expect(codes({ costs: paid(0, 5n * TRX) })).toEqual([])
  // At 0.30 USDT per TRX, the fee of 0.10 USDT covers a third of a TRX.
  expect(codes({ costs: paid(2, 666_666n) })).toEqual([])
  expect(findShortages({ ...NOTHING, costs: paid(2, 666_668n) })).toEqual([
    {
      code: 'ENERGY_FEE_LOW',
      severity: 'warn',
      subject: 'operator_trx',
      there: USDT / 10n,
      needed: 100_001_000_000_000_000n,
    },
  ])
})
