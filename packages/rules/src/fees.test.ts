import { amount, type Dct, formatUnits, parseAmount, parseUnits, type Usdt } from '@dct/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CENT_USDT,
  claimWorth,
  dctInUsdt,
  type FeeInput,
  feeParts,
  nextCent,
  sharesOfPayment,
  splitClaim,
  TAILS_PER_CENT,
  tailAt,
  tailIndexOf,
} from './fees.ts'

const dct = (text: string): Dct => parseAmount('DCT', text, 6)
const usdt = (text: string): Usdt => parseAmount('USDT', text)
const price = (text: string) => parseUnits(text, 8)

const feeInputs: fc.Arbitrary<FeeInput> = fc
  .record({
    claimed: fc.bigInt({ min: 1n, max: 10n ** 27n }),
    dctDecimals: fc.constantFrom(4, 6, 8, 18),
    price: fc.bigInt({ min: 1n, max: 10n ** 13n }),
    energyFee: fc.bigInt({ min: 0n, max: 10n ** 19n }),
  })
  .map((raw) => ({
    ...raw,
    claimed: amount('DCT', raw.claimed),
    energyFee: amount('USDT', raw.energyFee),
  }))

test('the two halves of a claim always make the whole, and the odd unit waits', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (base) => {
      const { now, later } = splitClaim(amount('DCT', base), 'HALF')
      expect(now + later).toBe(base)
      expect(later - now === 0n || later - now === 1n).toBe(true)
      expect(splitClaim(amount('DCT', base), 'FULL')).toEqual({ now: 0n, later: base })
    }),
  )
})

test('the fee is 40 % of the whole claimed amount, at the price, rounded as the product says', () => {
  const parts = feeParts({
    claimed: dct('12.345678'),
    dctDecimals: 6,
    price: price('1.5'),
    energyFee: usdt('0.10'),
  })
  expect(formatUnits(parts.unpaidFee, 6)).toBe('4.938271')
  expect(formatUnits(parts.feeUsdt, 18)).toBe('7.407406')
  expect(formatUnits(parts.cent, 18)).toBe('7.510000')
  expect(formatUnits(parts.estimate, 18)).toBe('7.520000')
})

test('the minimum claim at the price of the development network', () => {
  const input = { claimed: dct('0.6'), dctDecimals: 6, price: price('1'), energyFee: usdt('0.10') }
  const parts = feeParts(input)
  expect(formatUnits(parts.unpaidFee, 6)).toBe('0.240000')
  expect(formatUnits(parts.cent, 18)).toBe('0.340000')
  expect(claimWorth(input, parts.estimate)).toMatchObject({
    value: usdt('0.6'),
    cost: usdt('0.35'),
    net: usdt('0.25'),
    costsMoreThanItBrings: false,
  })
})

test('a claim that costs more than it brings is named so', () => {
  const input = {
    claimed: dct('0.6'),
    dctDecimals: 6,
    price: price('0.1'),
    energyFee: usdt('0.10'),
  }
  expect(claimWorth(input, feeParts(input).estimate).costsMoreThanItBrings).toBe(true)
})

test('parts are never above what they stand for, and a cent is never below', () => {
  fc.assert(
    fc.property(feeInputs, (input) => {
      const { unpaidFee, feeUsdt, cent, estimate } = feeParts(input)
      expect(unpaidFee * 10_000n).toBeLessThanOrEqual(input.claimed * 4_000n)
      expect(feeUsdt % 10n ** 12n).toBe(0n)
      expect(feeUsdt).toBe(dctInUsdt(unpaidFee, input.dctDecimals, input.price))
      expect(cent % CENT_USDT).toBe(0n)
      expect(cent).toBeGreaterThanOrEqual(feeUsdt + input.energyFee)
      expect(cent - CENT_USDT).toBeLessThan(feeUsdt + input.energyFee)
      expect(estimate).toBe(cent + CENT_USDT)
    }),
    { numRuns: 1_000 },
  )
})

test('[T060] every tail is one of its own, six decimals long, and its last digit is not 0', () => {
  const seen = new Set<bigint>()
  for (let index = 0; index < TAILS_PER_CENT; index += 1) {
    const tail = tailAt(index)
    expect(formatUnits(tail, 18)).toMatch(/^0\.00\d{3}[1-9]$/)
    expect(tailIndexOf(tail)).toBe(index)
    seen.add(tail)
  }
  expect(seen.size).toBe(TAILS_PER_CENT)
  expect(formatUnits(tailAt(0), 18)).toBe('0.000001')
  expect(formatUnits(tailAt(TAILS_PER_CENT - 1), 18)).toBe('0.009999')
  for (const index of [-1, TAILS_PER_CENT, 0.5]) expect(() => tailAt(index)).toThrow(RangeError)
})

test('an exact amount that was cut off or rounded is never another fee, and stays below the estimate', () => {
  const tails = fc.integer({ min: 0, max: TAILS_PER_CENT - 1 })
  fc.assert(
    fc.property(feeInputs, tails, fc.integer({ min: 0, max: 5 }), (input, index, decimals) => {
      const { cent, estimate } = feeParts(input)
      const exact = amount('USDT', cent + tailAt(index))
      expect(exact).toBeLessThan(estimate)
      expect(tailIndexOf(exact)).toBe(index)
      const step = 10n ** BigInt(18 - decimals)
      expect(tailIndexOf(amount('USDT', exact - (exact % step)))).toBeUndefined()
      expect(tailIndexOf(amount('USDT', exact - (exact % step) + step))).toBeUndefined()
      expect(tailIndexOf(amount('USDT', exact + 1n))).toBeUndefined()
    }),
    { numRuns: 2_000 },
  )
})

test('tails of one cent never reach into the next', () => {
  const cent = amount('USDT', 34n * CENT_USDT)
  expect(cent + tailAt(TAILS_PER_CENT - 1)).toBeLessThan(nextCent(cent) + tailAt(0))
})

test('the shares of a payment make the whole payment, whatever was paid', () => {
  fc.assert(
    fc.property(feeInputs, fc.bigInt({ min: 1n, max: 10n ** 21n }), (input, base) => {
      const parts = feeParts(input)
      const paid = amount('USDT', base)
      const shares = sharesOfPayment(paid, parts)
      expect(shares.income + shares.energy).toBe(paid)
      expect(shares.energy).toBeLessThanOrEqual(input.energyFee)
      expect(shares.fee).toBeLessThanOrEqual(shares.income)
      expect(shares.fee).toBeLessThanOrEqual(parts.feeUsdt)
      const exact = amount('USDT', parts.cent + tailAt(0))
      expect(sharesOfPayment(exact, parts).fee).toBe(parts.feeUsdt)
    }),
  )
})
