import { expect, test } from 'vitest'
import { exampleEarning } from '../../shared/api/testing/example-earning.ts'
import { nextDeadline } from './deadline.ts'

const now = new Date('2026-06-01T00:00:00Z')
const deadline = (change: Partial<typeof exampleEarning>) =>
  nextDeadline({ ...exampleEarning, ...change }, { now, grace: 3 })

test('a running earning must be claimed before the start, in UTC+7, of the day on which it freezes', () => {
  const at = new Date('2026-06-11T17:00:00Z')
  expect(deadline({ freezes_on: '2026-06-12' })).toEqual({ kind: 'beforeFreeze', at })
})

test('an earning that freezes before a claim is possible has the end of its grace as deadline', () => {
  const dates = { freezes_on: '2026-06-12', lapses_from: '2026-06-16' } as const
  expect(deadline({ ...dates, claimable_from: '2026-06-12' })).toEqual({
    kind: 'beforeLoss',
    at: new Date('2026-06-15T17:00:00Z'),
  })
  expect(deadline({ ...dates, claimable_from: '2026-06-11' })?.kind).toBe('beforeFreeze')
})

test('a frozen earning must be claimed, or its fee paid, before cycles are lost', () => {
  const lapsing = { lapses_from: '2026-06-04', freezes_on: null } as const
  const at = new Date('2026-06-03T17:00:00Z')
  expect(deadline({ ...lapsing, freeze_reason: 'unclaimed' })).toEqual({ kind: 'beforeLoss', at })
  // Cycles keep counting while a fee is open, so the day of the freeze means nothing then.
  expect(deadline({ ...lapsing, freezes_on: '2026-06-02', freeze_reason: 'open_fee' })).toEqual({
    kind: 'payBeforeLoss',
    at,
  })
})

test('near the end only the last day for claims remains, and none once everything is claimed or lost', () => {
  const over = { freezes_on: null, lapses_from: null, distributed_cycles: 360 } as const
  const until = { claim_until: '2026-06-25T00:00:00.000Z' }
  expect(deadline({ ...over, ...until })).toEqual({
    kind: 'beforeEnd',
    at: new Date(until.claim_until),
  })
  expect(deadline({ ...over, ...until, total_unclaimed: '0.000000' })).toBeUndefined()
  expect(deadline({ ...over, claim_until: '2026-05-25T00:00:00.000Z' })).toBeUndefined()
})

test('an unconfirmed lock has no deadline', () => {
  expect(deadline({ is_hash_confirmed: 'WAITING', freezes_on: '2026-06-12' })).toBeUndefined()
})

test('once rewards are being lost, no last day before the loss is named day after day', () => {
  const frozen = {
    freezes_on: null,
    lapses_from: '2026-06-04',
    freeze_reason: 'unclaimed',
  } as const
  expect(deadline({ ...frozen, reward_distribution_count: 33 })?.kind).toBe('beforeLoss')
  expect(deadline({ ...frozen, reward_distribution_count: 34 })?.kind).toBe('beforeEnd')
})
