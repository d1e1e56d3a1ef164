import { amount, parseAmount } from '@dct/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DIRECT_RATE_MAX_BPS, REFERRAL_PERCENTAGE_MAX_BPS } from './constants.ts'
import { describeShare, referralShares, type Upline } from './referral-shares.ts'

const usdt = (text: string) => parseAmount('USDT', text)
const upline = (...rates: bigint[]): Upline[] =>
  rates.map((rateBps, at) => ({ userId: BigInt(100 + at), level: at + 1, rateBps }))
const share = (fee: string, rates: bigint[], directRateBps = 1_000n) =>
  referralShares({
    feeUsdt: usdt(fee),
    directRateBps,
    referrerId: rates.length === 0 ? undefined : 100n,
    line: upline(...rates),
  })

test('the referrer gets the direct rate of the fee', () => {
  expect(share('10', [0n])).toEqual([
    { receiverId: 100n, kind: 'direct', level: 1, rateBps: 1_000n, amount: usdt('1') },
  ])
})

test('up the line, each user gets the excess over the highest percentage so far', () => {
  const indirect = share('100', [0n, 500n, 300n, 2_000n, 2_000n, 7_500n]).slice(1)
  expect(indirect).toEqual([
    { receiverId: 101n, kind: 'indirect', level: 2, rateBps: 500n, amount: usdt('5') },
    { receiverId: 103n, kind: 'indirect', level: 4, rateBps: 1_500n, amount: usdt('15') },
    { receiverId: 105n, kind: 'indirect', level: 6, rateBps: 5_500n, amount: usdt('55') },
  ])
})

test('one receiver can get both kinds from one fee', () => {
  expect(share('1', [2_500n]).map(({ receiverId, kind }) => [receiverId, kind])).toEqual([
    [100n, 'direct'],
    [100n, 'indirect'],
  ])
})

test('every share is rounded down to 6 decimals, and zero shares are left out', () => {
  expect(share('0.000019', [1_000n]).map((one) => one.amount)).toEqual([
    usdt('0.000001'),
    usdt('0.000001'),
  ])
  expect(share('0.000009', [1_000n])).toEqual([])
  expect(share('0', [7_500n])).toEqual([])
  expect(share('10', [0n], 0n)).toEqual([])
})

test('a payer without a referrer produces no rewards', () => {
  expect(share('10', [])).toEqual([])
})

test('[ENT-14] the two kinds have their specified names', () => {
  expect(describeShare({ kind: 'direct', level: 1 })).toBe('direct downline reward')
  expect(describeShare({ kind: 'indirect', level: 12 })).toBe('bonus referral level 12')
})

/** Random forests, from stars to lines: the referrer of user i + 1 is one of users 1 to i, or nobody. */
const forests = fc
  .record({
    shape: fc.constantFrom('any', 'line', 'star'),
    users: fc.array(
      fc.record({
        pick: fc.nat(),
        isRoot: fc.integer({ min: 0, max: 19 }).map((dice) => dice === 0),
        rateBps: fc.oneof(
          fc.constant(0n),
          fc.bigInt({ min: 0n, max: REFERRAL_PERCENTAGE_MAX_BPS }),
          fc.constantFrom(1n, 500n, 7_499n, REFERRAL_PERCENTAGE_MAX_BPS),
        ),
      }),
      { minLength: 1, maxLength: 60 },
    ),
  })
  .map(({ shape, users }) =>
    users.map((user, at) => {
      const parents = { any: user.pick % Math.max(at, 1), line: at - 1, star: 0 }
      const referrer = at === 0 || (user.isRoot && shape === 'any') ? undefined : parents[shape]
      return { rateBps: user.rateBps, referrer }
    }),
  )
type Forest = (typeof forests extends fc.Arbitrary<infer T> ? T : never) & { length: number }

const fees = fc.bigInt({ min: 0n, max: 10n ** 24n }).map((base) => amount('USDT', base))

function lineOf(forest: Forest, payer: number): Upline[] {
  const line: Upline[] = []
  for (let at = forest[payer]?.referrer; at !== undefined; at = forest[at]?.referrer) {
    line.push({ userId: BigInt(at), level: line.length + 1, rateBps: forest[at]?.rateBps ?? 0n })
  }
  return line
}

const RUNS = 12_000
const seed = Number(process.hrtime.bigint() % 2_147_483_647n)

test(`[T020] the rules of referral shares hold in any tree (${RUNS} trees, seed ${seed})`, {
  timeout: 60_000,
}, () => {
  fc.assert(
    fc.property(
      forests,
      fees,
      fc.bigInt({ min: 0n, max: DIRECT_RATE_MAX_BPS }),
      fc.nat(),
      (forest, feeUsdt, directRateBps, dice) => {
        const payer = dice % forest.length
        const line = lineOf(forest, payer)
        const referrerId = line[0]?.userId
        const shares = referralShares({ feeUsdt, directRateBps, referrerId, line })
        const sum = (kind?: string) =>
          shares
            .filter((one) => kind === undefined || one.kind === kind)
            .reduce((total, one) => total + one.amount, 0n)

        // The sums stay within their caps, whatever the tree and the percentages.
        expect(sum('indirect') * 10_000n <= feeUsdt * REFERRAL_PERCENTAGE_MAX_BPS).toBe(true)
        expect(sum('direct') * 10_000n <= feeUsdt * directRateBps).toBe(true)
        expect(sum() <= feeUsdt).toBe(true)
        // Each receiver gets at most one credit per kind; all of them are above the payer.
        const keys = shares.map((one) => `${one.receiverId}/${one.kind}`)
        expect(new Set(keys).size).toBe(keys.length)
        for (const one of shares) {
          expect(line[one.level - 1]?.userId).toBe(one.receiverId)
          expect(one.receiverId).not.toBe(BigInt(payer))
          expect(one.amount % 10n ** 12n).toBe(0n)
          expect(one.amount).toBe(floorMicro((feeUsdt * one.rateBps) / 10_000n))
        }
        // The definition, user by user: each gets the excess of their percentage over everyone's below.
        for (const [at, { userId, rateBps }] of line.entries()) {
          const below = line.slice(0, at).reduce((most, one) => max(most, one.rateBps), 0n)
          const expected = floorMicro((feeUsdt * max(0n, rateBps - below)) / 10_000n)
          const found = shares.find((one) => one.receiverId === userId && one.kind === 'indirect')
          expect(found?.amount ?? 0n).toBe(expected)
        }
        // Users without a percentage or an excess change nothing.
        const rising = line.filter(
          ({ rateBps }, at) =>
            rateBps > 0n && line.slice(0, at).every((one) => one.rateBps < rateBps),
        )
        expect(referralShares({ feeUsdt, directRateBps, referrerId, line: rising })).toEqual(shares)
      },
    ),
    { numRuns: RUNS, seed },
  )
})

const max = (a: bigint, b: bigint) => (a > b ? a : b)
const floorMicro = (base: bigint) => base - (base % 10n ** 12n)
