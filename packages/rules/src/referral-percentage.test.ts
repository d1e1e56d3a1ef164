import { expect, test } from 'vitest'
import { readReferralPercentage } from './referral-percentage.ts'

test.each([
  ['', 0n],
  [' 12.5 ', 1_250n],
  ['0', 0n],
  ['-0', 0n],
  ['0.01', 1n],
  ['75', 7_500n],
  ['75.00', 7_500n],
  ['75.000', 7_500n],
])('%j is a percentage', (text, rateBps) => {
  expect(readReferralPercentage(text)).toEqual({ rateBps })
})

test.each(['-1', '-0.01', '75.01', '75.001', '76', '100', '9'.repeat(30)])(
  '%s is outside of 0 to 75',
  (text) => {
    expect(readReferralPercentage(text)).toEqual({ problem: 'range' })
  },
)

test.each([
  'abc',
  'NaN',
  '5e1',
  '1,5',
  '+1',
  '٥',
  '0x10',
  '12.345',
  '.5',
  '5.',
  '--1',
  '1 2',
  'Infinity',
])('%j is not a percentage', (text) => {
  expect(readReferralPercentage(text)).toEqual({ problem: 'text' })
})
