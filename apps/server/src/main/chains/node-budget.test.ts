import { NodeUnavailable } from '@dct/chain-clients'
import { expect, test, vi } from 'vitest'
import type { Chains } from './chains.ts'
import { budgetedChains } from './node-budget.ts'

/** Chains whose only call reads the newest block; each call waits until the test releases it. */
function given(budget: Parameters<typeof budgetedChains>[1]) {
  const asked: (() => void)[] = []
  const headNumber = () => new Promise<bigint>((resolve) => asked.push(() => resolve(7n)))
  const chains = { tron: { reader: {}, node: {} }, bsc: { reader: { headNumber }, node: {} } }
  return { asked, reader: budgetedChains(chains as unknown as Chains, budget).bsc.reader }
}

test('no more calls than the budget allows are in flight at the nodes; the others queue', async () => {
  const { asked, reader } = given({ atOnce: 2, perSecond: 100, patienceMs: 1_000 })
  const answers = [1, 2, 3].map(() => reader.headNumber())
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  asked[0]?.()
  await vi.waitFor(() => expect(asked).toHaveLength(3))
  asked[1]?.()
  asked[2]?.()
  expect(await Promise.all(answers)).toEqual([7n, 7n, 7n])
})

test('a call that waits too long fails as if no node had answered, and is never made', async () => {
  const { asked, reader } = given({ atOnce: 1, perSecond: 100, patienceMs: 20 })
  const first = reader.headNumber()
  await expect(reader.headNumber()).rejects.toBeInstanceOf(NodeUnavailable)
  asked[0]?.()
  expect(await first).toBe(7n)
  expect(asked).toHaveLength(1)
})

test('the number of calls per second stays within the budget', async () => {
  vi.useFakeTimers()
  const { asked, reader } = given({ atOnce: 10, perSecond: 2, patienceMs: 5_000 })
  const answers = [1, 2, 3].map(() => reader.headNumber())
  await vi.advanceTimersByTimeAsync(999)
  expect(asked).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(asked).toHaveLength(3)
  for (const answer of asked) answer()
  await Promise.all(answers)
  vi.useRealTimers()
})
