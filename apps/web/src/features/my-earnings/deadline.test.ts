import { expect, test } from 'vitest'
import { nextDeadline } from './deadline.ts'
import { exampleEarning } from './example-earning.ts'

const now = new Date('2026-06-01T00:00:00Z')
const deadline = (change: Partial<typeof exampleEarning>) =>
  nextDeadline({ ...exampleEarning, ...change }, now)

test('a running earning is to be claimed before the day on which it freezes begins in UTC+7', () => {
  const at = new Date('2026-06-11T17:00:00Z')
  expect(deadline({ freezes_on: '2026-06-12' })).toEqual({ kind: 'beforeFreeze', at })
})

test('a frozen one before cycles are lost, by the claim or by the payment that is missing', () => {
  const lapsing = { lapses_from: '2026-06-04', freezes_on: null } as const
  const at = new Date('2026-06-03T17:00:00Z')
  expect(deadline({ ...lapsing, freeze_reason: 'unclaimed' })).toEqual({ kind: 'beforeLoss', at })
  // The count goes on while a fee is open: the day of the freeze says nothing then.
  expect(deadline({ ...lapsing, freezes_on: '2026-06-02', freeze_reason: 'open_fee' })).toEqual({
    kind: 'payBeforeLoss',
    at,
  })
})

test('near the end only the last day for claims is left, and nothing once all is claimed or lost', () => {
  const over = { freezes_on: null, lapses_from: null, distributed_cycles: 360 } as const
  const until = { claim_until: '2026-06-25T00:00:00.000Z' }
  expect(deadline({ ...over, ...until })).toEqual({
    kind: 'beforeEnd',
    at: new Date(until.claim_until),
  })
  expect(deadline({ ...over, ...until, total_unclaimed: '0.000000' })).toBeUndefined()
  expect(deadline({ ...over, claim_until: '2026-05-25T00:00:00.000Z' })).toBeUndefined()
})

test('a lock that is not confirmed has none', () => {
  expect(deadline({ is_hash_confirmed: 'WAITING', freezes_on: '2026-06-12' })).toBeUndefined()
})
