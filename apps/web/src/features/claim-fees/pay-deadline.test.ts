import { expect, test } from 'vitest'
import { exampleEarning } from '../../shared/api/testing/example-earning.ts'
import { payDeadline } from './pay-deadline.ts'

const fee = { fee_until: '2027-11-22T03:00:00.000Z' }
const frozen = { ...exampleEarning, is_frozen: true, freeze_reason: 'open_fee' } as const

test('a fee names the last day before later rewards are lost', () => {
  expect(payDeadline(fee, frozen, 3)).toEqual({ text: 'payBefore', day: '2026-06-15' })
})

test('while rewards are being lost, and where none can be, it names the last day on which it is accepted', () => {
  const accepted = { text: 'payUntil', day: '2027-11-21' }
  expect(payDeadline(fee, { ...frozen, reward_distribution_count: 34 }, 3)).toEqual(accepted)
  expect(payDeadline(fee, { ...frozen, lapses_from: null }, 3)).toEqual(accepted)
  expect(payDeadline(fee, undefined, 3)).toEqual(accepted)
})
