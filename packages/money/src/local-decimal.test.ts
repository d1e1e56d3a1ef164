import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatUnits, localDecimal, readLocalDecimal } from './index.ts'

const LANGUAGES = ['en', 'id', 'fr']

test('a displayed number is read back as the same number in every language', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 29n), max: 10n ** 29n }),
      fc.integer({ min: 1, max: 18 }),
      fc.constantFrom(...LANGUAGES),
      (base, decimals, language) => {
        const plain = formatUnits(base, decimals, decimals)
        expect(readLocalDecimal(localDecimal(plain, language), language)).toBe(plain)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('a whole number is read back as itself or not at all', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), (whole) => {
      expect([`${whole}`, undefined]).toContain(
        readLocalDecimal(localDecimal(`${whole}`, 'id'), 'id'),
      )
    }),
  )
})

test('numbers in English are written as the service sends them', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.integer({ min: 0, max: 18 }), (base, decimals) => {
      const plain = formatUnits(base, decimals)
      expect(localDecimal(plain, 'en')).toBe(plain)
    }),
  )
})

test.each([
  ['0.600000', '0,600000'],
  ['999', '999'],
  ['1234', '1.234'],
  ['-1234567.000001', '-1.234.567,000001'],
  ['2026-03-01.2', '2026-03-01.2'],
  ['PLAN-360', 'PLAN-360'],
  ['', ''],
])('%s is %s in Indonesian', (plain, shown) => {
  expect(localDecimal(plain, 'id')).toBe(shown)
})

test.each([
  ['en', '9,5', '9.5'],
  ['en', '10.500', '10.500'],
  ['en', '1,000.5', undefined],
  ['en', '1.000,5', undefined],
  ['id', ' 9,5 ', '9.5'],
  ['id', '9.5', '9.5'],
  ['id', '0.125', '0.125'],
  ['id', '1234.567', '1234.567'],
  ['id', '1.000,5', '1000.5'],
  ['id', '1.000.000', '1000000'],
  ['id', '10.500', undefined],
  ['id', '1,000.5', undefined],
  ['id', '1.000.5', undefined],
  ['id', '1.00,5', undefined],
])('in %s, %s is read as %s', (language, typed, plain) => {
  expect(readLocalDecimal(typed, language)).toBe(plain)
})
