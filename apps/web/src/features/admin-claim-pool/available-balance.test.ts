import { expect, test } from 'vitest'
import { availableBalance } from './available-balance.ts'

test('approved, unpaid amounts are deducted, down to 0', () => {
  expect(availableBalance('10.000000000000000001', '2.5')).toBe('7.500000000000000001')
  expect(availableBalance('10', '10.000000')).toBe('0.000000')
  expect(availableBalance('10', '10.000001')).toBe('0.000000')
  expect(availableBalance('0', '0')).toBe('0.000000')
})
