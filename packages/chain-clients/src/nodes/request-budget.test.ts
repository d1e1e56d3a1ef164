import { beforeEach, expect, test } from 'vitest'
import { NodeThrottled } from './failures.ts'
import { createRequestBudget } from './request-budget.ts'

let now = 0
let waited: number[] = []
const time = {
  nowMs: () => now,
  wait: async (ms: number) => {
    waited.push(Math.round(ms))
  },
}
beforeEach(() => {
  now = 0
  waited = []
})

const budgetOf = (perSecond: number) => createRequestBudget({ host: 'a', perSecond, time })

test('requests beyond those of one second wait for their turn, one after the other', async () => {
  const budget = budgetOf(2)
  for (let count = 0; count < 5; count += 1) await budget.take()
  expect(waited).toEqual([500, 1_000, 1_500])
  now += 10_000
  await budget.take()
  expect(waited).toHaveLength(3)
})

test('a request that would wait too long is refused without being counted', async () => {
  const budget = budgetOf(1)
  for (let count = 0; count < 11; count += 1) await budget.take()
  await expect(budget.take()).rejects.toBeInstanceOf(NodeThrottled)
  now += 1_000
  await budget.take()
})

test('being throttled halves the rate and closes the budget; answers raise it again step by step', async () => {
  const budget = budgetOf(16)
  expect(budget.slowDown(7_000)).toBe(7_000)
  await expect(budget.take()).rejects.toBeInstanceOf(NodeThrottled)
  // Requests that were in flight at the same time count as the same complaint.
  budget.slowDown(0)
  expect(budget.perSecond()).toBe(8)
  now += 7_000
  await budget.take()
  for (let count = 0; count < 100; count += 1) budget.answered()
  expect(budget.perSecond()).toBeCloseTo(16)
  budget.answered()
  expect(budget.perSecond()).toBe(16)
})

test('pauses grow while nothing is answered, to half a minute at most', () => {
  const budget = budgetOf(16)
  const pauses = Array.from({ length: 7 }, () => {
    now += 60_000
    return budget.slowDown(0)
  })
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  expect(budget.perSecond()).toBe(0.5)
})
