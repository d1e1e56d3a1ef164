import { randomBytes } from 'node:crypto'
import { type Hex, isHex, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from './support/chain.ts'
import { fuzz } from './support/fuzz.ts'
import { CHECKED_IN } from './support/system.ts'

// biome-ignore lint/style/noProcessEnv: a found seed is repeated, and a long run asked for, from outside
const { FUZZ_SEED, FUZZ_CALLS } = process.env
const SEED: Hex = isHex(FUZZ_SEED) ? FUZZ_SEED : toHex(randomBytes(8))
const CALLS = Number(FUZZ_CALLS ?? 20_000)

let chain: Chain

beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain.stop())

test(`no sequence of ${CALLS} random calls breaks a law`, {
  timeout: 60_000 + CALLS * 5,
}, async () => {
  console.log(`FUZZ_SEED=${SEED} FUZZ_CALLS=${CALLS}`)
  const tally = await fuzz(chain, { seed: SEED, calls: CALLS, bytecodes: CHECKED_IN })
  const counts = Object.values(tally)
  const made = counts.reduce((sum, { accepted, refused }) => sum + accepted + refused, 0n)
  expect(made).toBe(BigInt(CALLS))
  const { forbidden, donate, ...others } = tally
  expect(forbidden.accepted).toBe(0n)
  if (CALLS < 20_000) return
  // A fuzz that is refused everything, or never, proves nothing.
  expect(forbidden.refused * donate.accepted).toBeGreaterThan(0n)
  for (const [action, { accepted, refused }] of Object.entries(others)) {
    expect(accepted, `${action} accepted`).toBeGreaterThan(0n)
    expect(refused, `${action} refused`).toBeGreaterThan(0n)
  }
})
