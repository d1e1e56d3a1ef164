import { type Dct, formatUnits, parseAmount } from '@dct/money'
import { parseBusinessDay } from '@dct/rules/business-day'
import { expect, test } from 'vitest'
import { type CalculatorFacts, calculate, readPrice } from './calculator.ts'

const dct = (text: string): Dct => parseAmount('DCT', text)
const usdt = (base: bigint) => formatUnits(base, 18)

const facts = (change: Partial<CalculatorFacts> = {}): CalculatorFacts => ({
  totalPercentage: '72',
  cycles: 360,
  dctDecimals: 6,
  price: readPrice('1.00000000'),
  energyFee: parseAmount('USDT', '0.10'),
  minimumClaim: dct('0.6'),
  graceCycles: 3,
  today: parseBusinessDay('2026-01-01'),
  ...change,
})

test('50 DCT for 360 cycles at a price of 1 USDT', () => {
  const outcome = calculate(dct('50'), facts())
  expect(outcome).toMatchObject({
    dailyReward: dct('0.1'),
    reward: dct('36'),
    freezeAfter: 30,
    claims: 12,
    capitalReturns: '2026-12-27',
    oneClaim: {
      claimed: dct('3'),
      parts: {
        FULL: { now: dct('0'), later: dct('3') },
        HALF: { now: dct('1.5'), later: dct('1.5') },
      },
    },
    // 30 cycles and the 3 of the grace are credited, and nothing after that.
    neverClaimed: { credited: dct('3.3'), lost: dct('32.7') },
  })
  // Each claim of 3 DCT costs 40 %, which is 1.20, plus 0.10 for energy; the maximum is 0.01 higher.
  expect(usdt(outcome.money?.feePerClaim ?? 0n)).toBe('1.310000')
  expect(usdt(outcome.money?.fees ?? 0n)).toBe('15.720000')
  expect(usdt(outcome.money?.value ?? 0n)).toBe('36.000000')
  expect(usdt(outcome.money?.net ?? 0n)).toBe('20.280000')
  expect(outcome.money?.netDct).toBe(20_280_000n)
  const dear = calculate(dct('50'), facts({ price: readPrice('2.00000000') }))
  expect(dear.money && dear.money.netDct * 2n).toBe((dear.money?.net ?? 0n) / 10n ** 12n)
})

test('at the break-even price the net is about zero, below it is a loss', () => {
  const first = calculate(dct('10'), facts()).money
  const at = calculate(dct('10'), facts({ price: first?.breakEven })).money
  const cent = 10n ** 16n
  expect(at && at.net > -12n * cent && at.net < 12n * cent).toBe(true)
  const below = calculate(dct('10'), facts({ price: (first?.breakEven ?? 0n) / 2n })).money
  expect(below && below.net < 0n).toBe(true)
})

test('a small stake needs more than 30 cycles to reach the minimum claim, so it freezes later', () => {
  const outcome = calculate(dct('10'), facts({ cycles: 720, totalPercentage: '72' }))
  expect(outcome.freezeAfter).toBe(60)
  expect(outcome.oneClaim.claimed).toBe(dct('0.6'))
  expect(outcome.claims).toBe(12)
})

test('the first claim: from when, until when, and whether that time is short', () => {
  const first = (amount: string) => calculate(dct(amount), facts()).firstClaim
  expect(first('50')).toEqual({
    from: '2026-01-07',
    before: '2026-01-31',
    days: 24,
    time: 'enough',
  })
  expect(first('12')).toEqual({ from: '2026-01-26', before: '2026-01-31', days: 5, time: 'short' })
  expect(first('10')).toEqual({ from: '2026-01-31', before: '2026-02-04', days: 4, time: 'grace' })
})

test('without a price no value is shown', () => {
  expect(calculate(dct('50'), facts({ price: readPrice(null) })).money).toBeUndefined()
})

test('all claims add up to the whole reward, even if it does not divide evenly', () => {
  const terms = facts({ cycles: 31, totalPercentage: '77.77', minimumClaim: dct('0.000001') })
  const outcome = calculate(dct('10.000001'), terms)
  expect(outcome.claims).toBe(2)
  expect(outcome.reward).toBe(7_777_000n)
})

test('in a plan too short to freeze nothing is lost without claims', () => {
  const { neverClaimed, reward } = calculate(dct('50'), facts({ cycles: 20 }))
  expect(neverClaimed).toEqual({ credited: reward, lost: 0n })
})
