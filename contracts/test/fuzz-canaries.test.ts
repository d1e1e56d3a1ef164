import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from './support/chain.ts'
import { FuzzFinding, fuzz } from './support/fuzz.ts'
import { bytecodesOf, MUTANTS } from './support/mutants.ts'

/** Fixed, so that the test is deterministic. */
const SEED = '0x02'
const CALLS = 30_000

let chain: Chain

beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain.stop())

test.each(MUTANTS)('the fuzz test finds the fault: $name', async (mutant) => {
  const run = fuzz(chain, { seed: SEED, calls: CALLS, bytecodes: bytecodesOf(mutant) })
  const finding = await run.catch((error: unknown) => error)
  expect(finding).toBeInstanceOf(FuzzFinding)
  expect(finding).toMatchObject({ message: expect.stringContaining(mutant.finding) })
})
