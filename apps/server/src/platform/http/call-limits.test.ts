import { expect, test } from 'vitest'
import { ManualClock } from '../../testing/manual-clock.ts'
import { createCallLimiter } from './call-limits.ts'

const limits = { read: 3, write: 2, node: 1, networkFactor: 2 }
const given = (at = '2026-01-31T10:00:15Z') => {
  const realClock = new ManualClock(at)
  return { realClock, limiter: createCallLimiter({ realClock, limits }) }
}
const outcomeOf = (call: () => void) => {
  try {
    call()
    return 'passed'
  } catch (error) {
    return error
  }
}

test('a user’s calls of each kind are limited per minute', () => {
  const { realClock, limiter } = given()
  const calls = () => [1, 2, 3].map(() => outcomeOf(() => limiter.ofUser('write', 7n)))
  const refusal = { code: 'TOO_MANY_REQUESTS', facts: { retryAfterSeconds: 45 } }
  expect(calls()).toEqual(['passed', 'passed', expect.objectContaining(refusal)])
  expect(outcomeOf(() => limiter.ofUser('read', 7n))).toBe('passed')
  expect(outcomeOf(() => limiter.ofUser('write', 8n))).toBe('passed')
  realClock.advanceMs(45_000)
  expect(outcomeOf(() => limiter.ofUser('write', 7n))).toBe('passed')
})

test('a network’s limit is a multiple of a user’s, and an IPv6 /64 is one network', () => {
  const { limiter } = given()
  const ips = ['2001:db8:0:1::1', '2001:db8:0:1::2', '2001:db8:0:1:ffff::3']
  const outcomes = ips.map((ip) => outcomeOf(() => limiter.ofNetwork('node', ip)))
  expect(outcomes.map((outcome) => outcome === 'passed')).toEqual([true, true, false])
  expect(outcomeOf(() => limiter.ofNetwork('node', '2001:db8:0:2::1'))).toBe('passed')
})
