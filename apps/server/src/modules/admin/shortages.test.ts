import { amount } from '@dct/money'
import { expect, test } from 'vitest'
import type { Plan } from '../plans/index.ts'
import type { StoredReading } from './means.queries.ts'
import type { MoneyPosition } from './money-position.queries.ts'
import { findShortages, lastsDays } from './shortages.ts'

const now = new Date('2026-01-10T03:00:00Z')
const USDT = 10n ** 18n
const TRX = 1_000_000n
const plan = { code: 'PLAN-1', totalReward: amount('DCT', 1_000n), isActive: true } as Plan
const NO_DCT = { promised: 0n, credited: 0n, awaitingFee: 0n, awaitingPayout: 0n, lapsed: 0n }
const NO_USDT = {
  ...{ referralUnclaimed: 0n, referralRequested: 0n, awaitingPayout: 0n, unmatched: 0n },
  ...{ payoutWallet: 0n, feeReceiver: 0n },
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
const codes = (look: Partial<Parameters<typeof findShortages>[0]>) =>
  findShortages({ position: position(), readings: read(), days: [], now, ...look }).map(
    ({ code, severity, subject }) => `${severity} ${code} ${subject}`,
  )

test('with plenty of everything nothing is short', () => {
  expect(codes({})).toEqual([])
})

test('what was never read, or not for more than five minutes, is unknown and never taken for nothing', () => {
  const unknown = ['reward_pool', 'operator_trx', 'payout_usdt', 'payout_bnb'].map(
    (name) => `bad MEANS_UNKNOWN ${name}`,
  )
  expect(codes({ readings: new Map() })).toEqual(unknown)
  const minutesAgo = (count: number) => new Date(now.getTime() - count * 60_000)
  expect(codes({ readings: read({}, minutesAgo(5)) })).toEqual([])
  expect(codes({ readings: read({}, minutesAgo(6)) })).toEqual(unknown)
})

test('a plan’s pool on chain must hold all that its holders are owed', () => {
  const owed = { promised: 400n, credited: 300n, awaitingFee: 200n, awaitingPayout: 50n }
  const plans = [{ plan, figures: { ...owed, lapsed: 50n, free: 100n, pool: 1_050n } }]
  const readings = (held: bigint) => read({ 'reward_pool:PLAN-1': held })
  expect(codes({ position: position({ plans }), readings: readings(950n) })).toEqual([])
  expect(codes({ position: position({ plans }), readings: readings(949n) })).toEqual([
    'bad POOL_SHORT PLAN-1',
  ])
})

test('an open plan with less than a tenth left is nearly full; a closed one is nobody’s worry', () => {
  const withFree = (free: bigint, isActive: boolean) =>
    position({
      plans: [{ plan: { ...plan, isActive }, figures: { ...NO_DCT, free, pool: free } }],
    })
  expect(codes({ position: withFree(100n, true) })).toEqual([])
  expect(codes({ position: withFree(99n, true) })).toEqual(['warn PLAN_NEARLY_FULL PLAN-1'])
  expect(codes({ position: withFree(99n, false) })).toEqual([])
})

test('the payout wallet against what is claimed now, and against all that is owed', () => {
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

test('TRX and BNB must do for what waits and a hundred more', () => {
  const openPayouts = { tron: 10, bsc: 0 }
  const trx = (held: bigint) =>
    codes({ position: position({ openPayouts }), readings: read({ operator_trx: held * TRX }) })
  expect(trx(3_300n)).toEqual([])
  expect(trx(3_299n)).toEqual(['warn TRX_LOW operator_trx'])
  expect(trx(599n)).toEqual(['bad TRX_LOW operator_trx'])
  const bnb = (wei: bigint) => codes({ readings: read({ payout_bnb: wei }) })
  expect(bnb(5n * 10n ** 16n)).toEqual([])
  expect(bnb(5n * 10n ** 16n - 1n)).toEqual(['warn BNB_LOW payout_bnb'])
})

const days = (...amounts: (bigint | null)[]) =>
  amounts.map((held, index) => ({
    day: `2026-01-0${index + 1}`,
    figures: new Map([['operator_trx', held]]),
  }))

test('a mean lasts as long as its falls say; top-ups and unknown days do not count', () => {
  const lasts = (held: bigint, ...seen: (bigint | null)[]) =>
    lastsDays('operator_trx', { days: days(...seen), readings: read({ operator_trx: held }) })
  expect(lasts(50n, 100n, 90n, 80n)).toBe(5)
  expect(lasts(50n, 100n, 90n, 500n, 490n)).toBe(7)
  expect(lasts(50n, 100n, null, 90n)).toBe(5)
  expect(lasts(50n, 100n)).toBeUndefined()
  expect(lasts(50n, 100n, 100n, 120n)).toBeUndefined()
})

test('what runs dry within two weeks is told', () => {
  const readings = read({ operator_trx: 139_999n * TRX })
  const pace = days(500_000n * TRX, 490_000n * TRX)
  expect(codes({ readings, days: pace })).toEqual(['warn RUNS_DRY operator_trx'])
  const more = read({ operator_trx: 140_000n * TRX })
  expect(codes({ readings: more, days: pace })).toEqual([])
})
