import { amount, parseAmount, type Usdt } from '@dct/money'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Books,
  balanceOf,
  beginDays,
  cancel,
  claim,
  DAY_MS,
  dayOf,
  earningOf,
  emptyBooks,
  excuse,
  frozenBy,
  HOUR_MS,
  receive,
  stake,
} from './books.ts'
import { chargePaid, claimable, creditedSoFar, type Earning, mayClaim, owed } from './earning.ts'
import { sharesOf } from './referral.ts'
import { cyclePays, feeOf, freezeLimit, partsOf, wrongAmount } from './rules.ts'

const dct = (text: string) => parseAmount('DCT', text)
const usdt = (text: string) => parseAmount('USDT', text)
const START = Date.parse('2026-01-10T03:00:00Z')
const terms = { price: 100_000_000n, energyFee: usdt('0.10') }

function withStake(facts: { stake?: string; cycles?: number; rateBps?: bigint } = {}) {
  const books = emptyBooks({ ...terms, directBps: 1_000n })
  books.plans.set('P', { code: 'P', cycles: facts.cycles ?? 360, rateBps: facts.rateBps ?? 7_200n })
  stake(books, { plan: 'P', staker: 'payer', stake: dct(facts.stake ?? '50'), at: START })
  const earning = earningOf(books, 'P', 'payer')
  if (earning === undefined) throw new Error('no earning')
  return { books, earning }
}
const pass = (books: Books, days: number) => beginDays(books, 'P', dayOf(START) + days)
const DAYS_OF: Readonly<Record<string, number>> = { day: 1, week: 7 }
let codes = 0
function claimAt(books: Books, earning: Earning, type: 'FULL' | 'HALF', at = START) {
  codes += 1
  const asked = feeOf(claimable(earning), books).cents + 10n ** 12n
  return claim(books, earning, {
    code: `C${codes}`,
    type,
    asked,
    receiver: 'us',
    notBeforeBlock: 5,
    at,
  })
}
const pay = (books: Books, paid: bigint, block = 6) =>
  receive(books, { to: 'us', from: 'anybody', amount: paid, block, at: START })

describe('rewards', () => {
  test('50 DCT in a plan of 360 days at 72 % pay 0.1 DCT a day', () => {
    const { books, earning } = withStake()
    pass(books, 1)
    expect(claimable(earning)).toBe(dct('0.1'))
  })
  test('the cycles of any stake sum to its reward', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 9n }),
        fc.integer({ min: 1, max: 800 }),
        (reward, cycles) => {
          let sum = 0n
          for (let cycle = 1; cycle <= cycles; cycle += 1)
            sum += cyclePays(amount('DCT', reward), cycles, cycle)
          expect(sum).toBe(reward)
        },
      ),
    )
  })
  test('the last cycle is the plan’s last: no day after it pays', () => {
    const { books, earning } = withStake({ cycles: 20, rateBps: 400n })
    pass(books, 100)
    expect(claimable(earning)).toBe(earning.reward)
  })
})

describe('freeze and lapse', () => {
  test('30 days without a claim freeze, three more are credited, the others are lost', () => {
    const { books, earning } = withStake()
    pass(books, 29)
    expect(frozenBy(books, earning)).toBe(undefined)
    pass(books, 30)
    expect(frozenBy(books, earning)).toBe('unclaimed')
    pass(books, 40)
    expect(claimable(earning)).toBe(dct('3.3'))
    claimAt(books, earning, 'FULL')
    pass(books, 41)
    expect(earning.credited.filter(Boolean)).toHaveLength(34)
  })
  test('a small stake freezes only when its minimum claim can be reached', () => {
    expect(freezeLimit(dct('7.2'), 360)).toBe(30)
    expect(freezeLimit(dct('3.6'), 360)).toBe(60)
  })
  test('an excused day never counts, and what had lapsed in it is credited again', () => {
    const { books, earning } = withStake()
    excuse(books, dayOf(START) + 5)
    pass(books, 40)
    expect(creditedSoFar(earning)).toBe(dct('3.4'))
    excuse(books, dayOf(START) + 38)
    expect(creditedSoFar(earning)).toBe(dct('3.5'))
  })
})

describe('claims', () => {
  test('HALF pays one half at once and the rest with the fee, FULL all with the fee', () => {
    expect(partsOf(dct('1.000001'), 'HALF')).toEqual({ now: dct('0.5'), later: dct('0.500001') })
    const { books, earning } = withStake()
    pass(books, 10)
    const half = claimAt(books, earning, 'HALF')
    expect(owed(earning)).toBe(dct('0.5'))
    pay(books, half.asked)
    expect(owed(earning)).toBe(dct('1'))
  })
  test('less than 0.6 DCT can be claimed only after the last cycle', () => {
    const { books, earning } = withStake({ stake: '10', cycles: 30, rateBps: 100n })
    pass(books, 29)
    expect(mayClaim(earning)).toBe(false)
    pass(books, 30)
    expect(mayClaim(earning)).toBe(true)
  })
  test('an open fee forbids the next claim, a cancelled claim gives its cycles back', () => {
    const { books, earning } = withStake()
    pass(books, 10)
    const first = claimAt(books, earning, 'FULL')
    pass(books, 20)
    expect(mayClaim(earning)).toBe(false)
    expect(() => cancel(books, first, START + 23 * HOUR_MS)).toThrow('too early')
    cancel(books, first, START + 24 * HOUR_MS)
    expect(claimable(earning)).toBe(dct('2'))
    expect(owed(earning)).toBe(0n)
    expect(() => cancel(books, claimAt(books, earning, 'HALF'), START + 9 * DAY_MS)).toThrow('HALF')
  })
  test('whatever a holder does, never more is owed than was credited', () => {
    const acts = fc.array(
      fc.constantFrom('day', 'week', 'full', 'half', 'pay', 'cancel', 'excuse'),
      { maxLength: 80 },
    )
    fc.assert(
      fc.property(acts, (list) => {
        const { books, earning } = withStake({ cycles: 60, rateBps: 2_000n })
        let day = 0
        for (const act of list) {
          day += DAYS_OF[act] ?? 0
          pass(books, day)
          if ((act === 'full' || act === 'half') && mayClaim(earning)) {
            claimAt(books, earning, act === 'full' ? 'FULL' : 'HALF', START + day * DAY_MS)
          }
          const open = earning.claims.find(({ state }) => state === 'unpaid')
          if (act === 'pay' && open) pay(books, open.asked)
          if (act === 'cancel' && open?.type === 'FULL') cancel(books, open, open.at + DAY_MS)
          if (act === 'excuse') excuse(books, dayOf(START) + day)
          expect(owed(earning)).toBeLessThanOrEqual(creditedSoFar(earning))
          const standing = earning.claims.filter(({ state }) => state !== 'cancelled')
          const taken = standing.reduce((sum, one) => sum + one.claimed, 0n)
          expect(taken + claimable(earning)).toBe(creditedSoFar(earning))
        }
      }),
    )
  })
})

describe('fees', () => {
  test('40 % of 1 DCT at 1.00 with an energy fee of 0.10 are 0.50 and a tail', () => {
    const fee = feeOf(dct('1'), terms)
    expect(fee).toEqual({ base: usdt('0.4'), cents: usdt('0.5') })
    expect(wrongAmount(usdt('0.500001'), fee)).toBe(undefined)
    expect(wrongAmount(usdt('0.500010'), fee)).toContain('sixth decimal')
    expect(wrongAmount(usdt('0.5'), fee)).toContain('tail')
    expect(wrongAmount(usdt('0.51'), fee)).toContain('tail')
  })
  test('only the exact amount, in a later block, to that receiver pays', () => {
    const { books, earning } = withStake()
    pass(books, 10)
    const { asked } = claimAt(books, earning, 'FULL')
    expect(pay(books, asked + 1n)).toBe(undefined)
    expect(pay(books, asked, 5)).toBe(undefined)
    expect(books.unmatched).toHaveLength(2)
    expect(pay(books, asked)?.state).toBe('paid')
    expect(pay(books, asked)).toBe(undefined)
    expect(owed(earning)).toBe(dct('1'))
  })
})

describe('what a chain paid ahead', () => {
  test('pays whole cycles, the oldest first, and the rest stays ahead', () => {
    const { books, earning } = withStake()
    pass(books, 10)
    chargePaid(earning, dct('0.35'), START)
    expect(owed(earning)).toBe(dct('0.3'))
    expect(claimable(earning)).toBe(dct('0.7'))
    chargePaid(earning, dct('0.35'), START)
    expect(owed(earning)).toBe(dct('0.3'))
  })
  test('counts towards what is owed first, and pays no cycle while a fee is open', () => {
    const { books, earning } = withStake()
    pass(books, 10)
    const { asked } = claimAt(books, earning, 'HALF')
    pass(books, 12)
    chargePaid(earning, dct('0.7'), START)
    expect(claimable(earning)).toBe(dct('0.2'))
    pay(books, asked)
    chargePaid(earning, dct('1.1'), START)
    expect(owed(earning)).toBe(dct('1.1'))
    expect(claimable(earning)).toBe(dct('0.1'))
  })
})

describe('referrals', () => {
  const line = (...percents: number[]) =>
    percents.map((percent, at) => ({
      referrer: `r${at + 1}`,
      percentageBps: BigInt(percent * 100),
    }))
  test('the referrer gets the direct share, and up the line each the difference to the highest below', () => {
    expect(sharesOf(usdt('10'), line(10, 5, 30), 1_000n)).toEqual([
      { referrer: 'r1', kind: 'direct', amount: usdt('1') },
      { referrer: 'r1', kind: 'non-direct', amount: usdt('1') },
      { referrer: 'r3', kind: 'non-direct', amount: usdt('2') },
    ])
  })
  test('all shares together never exceed the fee', () => {
    const lines = fc.array(fc.integer({ min: 0, max: 75 }), { maxLength: 12 })
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 22n }),
        lines,
        fc.bigInt({ min: 0n, max: 2_500n }),
        (base, percents, direct) => {
          const shares = sharesOf(base as Usdt, line(...percents), direct)
          expect(shares.reduce((sum, share) => sum + share.amount, 0n)).toBeLessThanOrEqual(base)
        },
      ),
    )
  })
  test('a paid fee credits them once', () => {
    const { books, earning } = withStake()
    books.people.set('payer', { referrer: 'up', percentageBps: 0n })
    pass(books, 10)
    const { asked } = claimAt(books, earning, 'FULL')
    pay(books, asked)
    pay(books, asked)
    expect(balanceOf(books, 'up', 'direct').earned).toBe(usdt('0.04'))
  })
})
