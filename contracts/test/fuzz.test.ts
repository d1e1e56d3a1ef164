import { randomBytes } from 'node:crypto'
import { type Hex, isHex, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Chain, startChain } from './support/chain.ts'
import { fuzz, type Tally } from './support/fuzz.ts'
import { CHECKED_IN } from './support/system.ts'

// biome-ignore lint/style/noProcessEnv: callers can repeat a seed that found something, and request a longer run
const { FUZZ_SEED, FUZZ_CALLS } = process.env
const SEED: Hex = isHex(FUZZ_SEED) ? FUZZ_SEED : toHex(randomBytes(8))
const CALLS = Number(FUZZ_CALLS ?? 10_000)
/** A seed that is known to reach every case; with a random seed, that may take more calls. */
const COVERING_SEED: Hex = '0x01'
const COVERING_CALLS = 10_000

let chain: Chain

beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain.stop())

const timeoutFor = (calls: number) => 60_000 + calls * 5

function callsIn(tally: Tally): bigint {
  return Object.values(tally).reduce((sum, { accepted, refused }) => sum + accepted + refused, 0n)
}

test(`no sequence of ${CALLS} random calls breaks a law`, {
  timeout: timeoutFor(CALLS),
}, async () => {
  console.log(`FUZZ_SEED=${SEED} FUZZ_CALLS=${CALLS}`)
  const tally = await fuzz(chain, { seed: SEED, calls: CALLS, bytecodes: CHECKED_IN })
  expect(callsIn(tally)).toBe(BigInt(CALLS))
  expect(tally.forbidden.accepted).toBe(0n)
})

test('every action is sometimes accepted and sometimes refused, and no law is broken', {
  timeout: timeoutFor(COVERING_CALLS),
}, async () => {
  const run = { seed: COVERING_SEED, calls: COVERING_CALLS, bytecodes: CHECKED_IN }
  const { forbidden, donate, ...others } = await fuzz(chain, run)
  expect(forbidden.accepted).toBe(0n)
  // A fuzz run in which every call is accepted, or every call is refused, proves nothing.
  expect(forbidden.refused * donate.accepted).toBeGreaterThan(0n)
  for (const [action, { accepted, refused }] of Object.entries(others)) {
    expect(accepted, `${action} accepted`).toBeGreaterThan(0n)
    expect(refused, `${action} refused`).toBeGreaterThan(0n)
  }
})
