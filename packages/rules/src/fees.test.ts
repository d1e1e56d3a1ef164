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

test('the two halves of a claim always add up to the whole, and the odd unit is in the later one', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), (base) => {
      const { now, later } = splitClaim(amount('DCT', base), 'HALF')
      expect(now + later).toBe(base)
      expect(later - now === 0n || later - now === 1n).toBe(true)
      expect(splitClaim(amount('DCT', base), 'FULL')).toEqual({ now: 0n, later: base })
    }),
  )
})

test('the fee is 40 % of the whole claimed amount, at the price, rounded by the product’s rules', () => {
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

test('the fee has at most 6 decimals, or as many as the token if fewer', () => {
  const unpaidFee = (dctDecimals: number, claimed: string) =>
    feeParts({
      claimed: parseAmount('DCT', claimed, dctDecimals),
      dctDecimals,
      price: price('1'),
      energyFee: usdt('0'),
    }).unpaidFee
  expect(unpaidFee(18, '1.234567891234567891')).toBe(493_827n * 10n ** 12n)
  expect(unpaidFee(7, '1.2345678')).toBe(493_827n * 10n)
  expect(unpaidFee(4, '1.2345')).toBe(4_938n)
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

test('a claim that costs more than its value is recognised', () => {
  const input = {
    claimed: dct('0.6'),
    dctDecimals: 6,
    price: price('0.1'),
    energyFee: usdt('0.10'),
  }
  expect(claimWorth(input, feeParts(input).estimate).costsMoreThanItBrings).toBe(true)
})

test('parts are never rounded up, and a cent is never rounded down', () => {
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

const TAILS = new Set(Array.from({ length: TAILS_PER_CENT }, (_, index): bigint => tailAt(index)))
const hasTail = (exact: bigint) => TAILS.has(exact % CENT_USDT)

test('[T060] every tail is unique, has six decimals, and does not end in 0', () => {
  const seen = new Set<bigint>()
  for (let index = 0; index < TAILS_PER_CENT; index += 1) {
    const tail = tailAt(index)
    expect(formatUnits(tail, 18)).toMatch(/^0\.00\d{3}[1-9]$/)
    seen.add(tail)
  }
  expect(seen.size).toBe(TAILS_PER_CENT)
  expect(formatUnits(tailAt(0), 18)).toBe('0.000001')
  expect(formatUnits(tailAt(TAILS_PER_CENT - 1), 18)).toBe('0.009999')
  for (const index of [-1, TAILS_PER_CENT, 0.5]) expect(() => tailAt(index)).toThrow(RangeError)
})

test('a truncated or rounded exact amount never equals another fee, and exact amounts stay below the estimate', () => {
  const tails = fc.integer({ min: 0, max: TAILS_PER_CENT - 1 })
  fc.assert(
    fc.property(feeInputs, tails, fc.integer({ min: 0, max: 5 }), (input, index, decimals) => {
      const { cent, estimate } = feeParts(input)
      const exact = amount('USDT', cent + tailAt(index))
      expect(exact).toBeLessThan(estimate)
      expect(hasTail(exact)).toBe(true)
      const step = 10n ** BigInt(18 - decimals)
      expect(hasTail(exact - (exact % step))).toBe(false)
      expect(hasTail(exact - (exact % step) + step)).toBe(false)
      expect(hasTail(exact + 1n)).toBe(false)
    }),
    { numRuns: 2_000 },
  )
})

test('tails of one cent never reach into the next', () => {
  const cent = amount('USDT', 34n * CENT_USDT)
  expect(cent + tailAt(TAILS_PER_CENT - 1)).toBeLessThan(nextCent(cent) + tailAt(0))
})

test('the parts of a payment add up to it, whatever the amount', () => {
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
