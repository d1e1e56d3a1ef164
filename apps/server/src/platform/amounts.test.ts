import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readAmount } from './amounts.ts'
import { Refusal } from './errors.ts'

const read = (input: string | number) => readAmount('DCT', input, { field: 'amount', decimals: 6 })

test.each([
  ['12.5', 12_500_000n],
  [12.5, 12_500_000n],
  ['0.000001', 1n],
  [10, 10_000_000n],
  ['0', 0n],
])('[T031] %j is %s base units', (input, base) => {
  expect(read(input)).toBe(base)
})

test.each([
  ...[
    '10.0000001',
    '1e1',
    '-10',
    '+10',
    'NaN',
    '10 ',
    ' 10',
    '1,5',
    '٣',
    '１０',
    '0x10',
    '',
    '.5',
    '5.',
  ],
  ...[-1, 1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY],
])('[T031] %j is refused with the name of its field', (input) => {
  try {
    read(input)
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    expect(error).toMatchObject({ code: 'BAD_AMOUNT', facts: { field: 'amount' } })
  }
})

test('[T031] any input is either parsed as an amount or refused', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ maxLength: 30 }), fc.double()), (input) => {
      try {
        expect(read(input)).toBeGreaterThanOrEqual(0n)
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal)
      }
    }),
  )
})
