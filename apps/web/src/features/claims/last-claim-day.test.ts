import { expect, test } from 'vitest'
import { exampleEarning } from '../../shared/api/testing/example-earning.ts'
import { lastClaimDay } from './last-claim-day.ts'

const reward = { claim_until: '2027-10-23T03:00:00.000Z' }
const frozen = { ...exampleEarning, freezes_on: null }

test.each([
  ['before the freeze', exampleEarning, '2026-06-11'],
  ['before rewards are lost', { ...frozen, reward_distribution_count: 33 }, '2026-06-15'],
  ['before the very end', { ...frozen, lapses_from: null }, '2027-10-22'],
  ['no day while rewards are being lost', { ...frozen, reward_distribution_count: 34 }, undefined],
  ['of an unknown earning before the very end', undefined, '2027-10-22'],
])('the last day to claim is %s', (_, earning, day) => {
  expect(lastClaimDay(reward, earning, 3)).toBe(day)
})
