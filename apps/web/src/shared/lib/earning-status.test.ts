import { expect, test } from 'vitest'
import { canClaimCapital, daysLost, earningStatus, isFollowing } from './earning-status.ts'

const now = new Date('2026-06-01T00:00:00Z')
const past = '2026-05-31T23:59:59.000Z'
const future = '2026-06-01T00:00:01.000Z'
const earning = {
  is_hash_confirmed: 'SUCCESS',
  is_frozen: false,
  end_date: future,
  capital_state: 'locked',
} as const

test.each([
  [{ is_hash_confirmed: 'WAITING' }, 'Waiting for hash confirmation'],
  [
    { is_hash_confirmed: 'WAITING', is_frozen: true, end_date: past },
    'Waiting for hash confirmation',
  ],
  [{ is_hash_confirmed: 'FAILED' }, 'Failed to confirm hash'],
  [{ is_hash_confirmed: 'FAILED', is_frozen: true, end_date: past }, 'Failed to confirm hash'],
  [{ is_frozen: true }, 'Freeze'],
  [{ end_date: past }, 'Deactive'],
  [{ end_date: now.toISOString() }, 'Deactive'],
  [{ capital_state: 'due' }, 'Deactive'],
  [{ capital_state: 'released' }, 'Deactive'],
  [{}, 'Active'],
] as const)('an earning with %j shows "%s"', (facts, status) => {
  expect(earningStatus({ ...earning, ...facts }, now)).toBe(status)
})

test('[STATE-06] frozen takes precedence over ended', () => {
  expect(earningStatus({ ...earning, is_frozen: true, end_date: past }, now)).toBe('Freeze')
})

test('capital is offered only after the end of a confirmed lock', () => {
  expect(canClaimCapital({ ...earning, end_date: past }, now)).toBe(true)
  expect(canClaimCapital({ ...earning, end_date: past, is_frozen: true }, now)).toBe(true)
  expect(canClaimCapital({ ...earning, capital_state: 'due' }, now)).toBe(true)
  expect(canClaimCapital(earning, now)).toBe(false)
  expect(canClaimCapital({ ...earning, end_date: past, is_hash_confirmed: 'WAITING' }, now)).toBe(
    false,
  )
  expect(canClaimCapital({ ...earning, end_date: past, is_hash_confirmed: 'FAILED' }, now)).toBe(
    false,
  )
})

test('[STATE-07, STATE-08, STATE-09] following is any earning that did not fail', () => {
  const of = (...states: ('SUCCESS' | 'WAITING' | 'FAILED')[]) =>
    isFollowing(states.map((is_hash_confirmed) => ({ is_hash_confirmed })))
  expect(of('SUCCESS')).toBe(true)
  expect(of('WAITING')).toBe(true)
  expect(of('FAILED', 'WAITING')).toBe(true)
  expect(of()).toBe(false)
  expect(of('FAILED', 'FAILED')).toBe(false)
})

test.each([
  [30, 0],
  [33, 0],
  [34, 1],
  [45, 12],
])('%d cycles without a claim: rewards have been lost for %d days', (count, days) => {
  const earning = { reward_distribution_count: count, freeze_limit: 30 }
  expect(daysLost(earning, 3)).toBe(days)
})
