import { expect, test } from 'vitest'
import { lackOf } from './lack-of.ts'

const prices = { energySun: 100n, bandwidthSun: 1_000n }
const lack = (resources: { energy: bigint; bandwidth: bigint; sun: bigint }, count = 1) =>
  lackOf({ resources, prices }, { energy: 80_000n, count })

test.each([
  ['enough of everything', { energy: 160_000n, bandwidth: 700n, sun: 0n }, 1],
  ['TRX for all of it', { energy: 0n, bandwidth: 0n, sun: 16_700_000n }, 1],
  [
    'TRX for the energy that stake does not cover',
    { energy: 60_000n, bandwidth: 700n, sun: 10_000_000n },
    1,
  ],
  ['TRX for all of two calls', { energy: 0n, bandwidth: 0n, sun: 33_400_000n }, 2],
  // Stake that was withdrawn after its energy had been used leaves less than nothing; that costs no TRX.
  [
    'TRX for all of it, and overused stake',
    { energy: -50_000n, bandwidth: -9n, sun: 16_700_000n },
    1,
  ],
])('an operator with %s lacks nothing, and with a sun less it lacks it', (_case, has, count) => {
  expect(lack(has, count)).toBeUndefined()
  if (has.sun > 0n) expect(lack({ ...has, sun: has.sun - 1n }, count)).toMatch(`${has.sun} sun`)
})
