import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatUnits, localDecimal, parseLocalDecimal, readLocalDecimal } from './index.ts'

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

test.each([
  ['0.600000', '0.600000'],
  ['1234.5', '1,234.5'],
  ['-1234567.000001', '-1,234,567.000001'],
])('%s is %s in English', (plain, shown) => {
  expect(localDecimal(plain, 'en')).toBe(shown)
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
  ['en', '1,000.5', '1000.5'],
  ['en', '1.000,5', '1000.5'],
  ['en', '1,000', undefined],
  ['en', '1,000,000', '1000000'],
  ['en', '0,125', '0.125'],
  ['en', '1,00,000', undefined],
  ['en', '1,000,50', undefined],
  ['id', ' 9,5 ', '9.5'],
  ['id', '9.5', '9.5'],
  ['id', '0.125', '0.125'],
  ['id', '1234.567', '1234.567'],
  ['id', '1.000,5', '1000.5'],
  ['id', '1.000.000', '1000000'],
  ['id', '10.500', undefined],
  ['id', '1,000.5', '1000.5'],
  ['id', '1,000', '1.000'],
  ['id', '1.000.5', undefined],
  ['id', '1.00,5', undefined],
])('in %s, %s is read as %s', (language, typed, plain) => {
  expect(readLocalDecimal(typed, language)).toBe(plain)
})

test.each([
  ['25 DCT', '25'],
  ['25dct', '25'],
  ['DCT 25', '25'],
  ['+25', '25'],
  ['25.', '25'],
  ['.5', '0.5'],
  ['25,', '25'],
  ['25\u00a0', '25'],
  ['\u200b25', '25'],
  ['2\u200b5', '25'],
  ['\ufeff25', '25'],
  ['\u202a25\u202c', '25'],
  ['25\u00ad', '25'],
  ['25\n', '25'],
  ['２５', '25'],
  ['２５．５', '25.5'],
  ['٢٥', '25'],
  ['۲۵', '25'],
  ['२५', '25'],
  ['٢٥٫٥', '25.5'],
  ['١٬٠٠٠٫٥', '1000.5'],
  ['12\u066b5', '12.5'],
  ['1 000', '1000'],
  ['1\u202f000', '1000'],
  ['1\u00a0000,50', '1000.50'],
  ["1'000", '1000'],
  ['1’000.5', '1000.5'],
  ['−25', '-25'],
  ['- 25', '-25'],
])('%j is %s DCT in English', (typed, plain) => {
  expect(readLocalDecimal(typed, 'en', 'DCT')).toBe(plain)
})

test.each([
  ['', 'empty'],
  ['\u200b', 'empty'],
  ['1,000', 'unclear'],
  ['12,345', 'unclear'],
  ['25 USDT', 'unit'],
  ['$25', 'unit'],
  ['25%', 'unit'],
  ['ten', 'number'],
  ['.', 'number'],
  ['2.5e1', 'number'],
  ['10²', 'number'],
  ['①', 'number'],
  ['1½', 'number'],
  ['0x19', 'number'],
  ['25-50', 'number'],
  ['12·5', 'number'],
  ['1 00', 'number'],
  ['10 25', 'number'],
  ['25 DCT 50', 'number'],
  ['1..5', 'number'],
  ['1,2.3,4', 'number'],
  ['25/2', 'number'],
  [`${'1'.repeat(1000)}x1`, 'number'],
] as const)('%j is refused as an amount of DCT: %s', (typed, problem) => {
  expect(parseLocalDecimal(typed, 'en', 'DCT')).toEqual({ problem })
})
