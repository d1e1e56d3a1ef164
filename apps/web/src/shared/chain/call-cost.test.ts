import { expect, test } from 'vitest'
import { costOf } from './call-cost.ts'

test("the account's own energy is used first; the rest is paid in TRX", () => {
  const cost = costOf({ energy: 60_000, price: 100, freeEnergy: 20_000, balanceSun: 5n })
  expect(cost.feeSun).toBe(4_000_000n)
  expect(cost.feeLimitSun).toBe(9_000_000n)
})

test("enough energy of one's own costs nothing", () => {
  expect(costOf({ energy: 60_000, price: 100, freeEnergy: 60_000, balanceSun: 0n }).feeSun).toBe(0n)
})
