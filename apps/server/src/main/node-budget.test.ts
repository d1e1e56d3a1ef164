import { NodeUnavailable } from '@dct/chain-clients'
import { expect, test, vi } from 'vitest'
import type { Chains } from './chains.ts'
import { budgetedChains } from './node-budget.ts'

/** Chains that only answer for the newest block; each answer waits until it is released. */
function given(budget: Parameters<typeof budgetedChains>[1]) {
  const asked: (() => void)[] = []
  const headNumber = () => new Promise<bigint>((resolve) => asked.push(() => resolve(7n)))
  const chains = { tron: { reader: {}, node: {} }, bsc: { reader: { headNumber }, node: {} } }
  return { asked, reader: budgetedChains(chains as unknown as Chains, budget).bsc.reader }
}

test('no more calls than the budget are in flight at the nodes; the others queue', async () => {
  const { asked, reader } = given({ atOnce: 2, perSecond: 100, patienceMs: 1_000 })
  const answers = [1, 2, 3].map(() => reader.headNumber())
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  asked[0]?.()
  await vi.waitFor(() => expect(asked).toHaveLength(3))
  asked[1]?.()
  asked[2]?.()
  expect(await Promise.all(answers)).toEqual([7n, 7n, 7n])
})

test('a call that does not get its turn in time fails as if no node had answered, and is never made', async () => {
  const { asked, reader } = given({ atOnce: 1, perSecond: 100, patienceMs: 20 })
  const first = reader.headNumber()
  await expect(reader.headNumber()).rejects.toBeInstanceOf(NodeUnavailable)
  asked[0]?.()
  expect(await first).toBe(7n)
  expect(asked).toHaveLength(1)
})

test('no more calls are made within a second than its budget', async () => {
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
