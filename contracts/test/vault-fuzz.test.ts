import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatUnits, type Hex, isHex, toHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONTRACTS_DIR } from '../scripts/solidity.ts'
import { type Chain, startChain } from './support/chain.ts'
import { DAILY_LIMIT } from './support/vault.ts'
import { fuzzVault } from './support/vault-fuzz.ts'

// biome-ignore lint/style/noProcessEnv: callers can repeat a seed that found something, and request a longer run
const { FUZZ_SEED, FUZZ_CALLS } = process.env
const SEED: Hex = isHex(FUZZ_SEED) ? FUZZ_SEED : toHex(randomBytes(8))
const CALLS = Number(FUZZ_CALLS ?? 200)
/** A seed that is known to take the whole of a day's limit. */
const KNOWN_SEED: Hex = '0x02'

let chain: Chain

beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain.stop())

test('a stolen operator key, with an accomplice, takes at most the daily limit in a day', {
  timeout: 60_000 + CALLS * 200,
}, async () => {
  console.log(`FUZZ_SEED=${SEED} FUZZ_CALLS=${CALLS}`)
  const known = await fuzzVault(chain, { seed: KNOWN_SEED, calls: 200 })
  expect(known.mostPerDay).toBe(DAILY_LIMIT)
  expect(known.accepted).toBeGreaterThan(20)
  expect(known.refused).toBeGreaterThan(20)
  const found = await fuzzVault(chain, { seed: SEED, calls: CALLS })
  expect(found.mostPerDay).toBeLessThanOrEqual(DAILY_LIMIT)
  const stated = `with a daily limit of ${formatUnits(DAILY_LIMIT, 18)} USDT at most ${formatUnits(known.mostPerDay, 18)} USDT a day`
  const readme = readFileSync(join(CONTRACTS_DIR, 'README.md'), 'utf8').replace(/\s+/g, ' ')
  expect(readme).toContain(stated)
})
