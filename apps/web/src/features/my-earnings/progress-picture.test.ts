import type { EarningProgress } from '@dct/api-contract/claims'
import { expect, test } from 'vitest'
import { pictureOf, upToNow } from './progress-picture.ts'

const stretch = (first_cycle: number, last_cycle: number, amount: string, facts: object = {}) => ({
  first_cycle,
  last_cycle,
  first_day: `2026-03-${String(1 + first_cycle).padStart(2, '0')}`,
  last_day: `2026-03-${String(1 + last_cycle).padStart(2, '0')}`,
  amount,
  is_lapsed: false,
  is_frozen: false,
  ...facts,
})
const claim = (claim_day: string, claimed_amount: string, state: 'paid' | 'cancelled') => ({
  code_claim: claim_day,
  claim_type: 'FULL' as const,
  state,
  claim_day,
  first_cycle: 1,
  last_cycle: 2,
  claimed_amount,
})
const progress: EarningProgress = {
  earning_plan_code: 'P',
  start_day: '2026-03-01',
  duration_days: 10,
  total_reward: '10.000000',
  stretches: [
    stretch(1, 3, '3.000000'),
    stretch(4, 5, '2.000000', { is_frozen: true }),
    stretch(6, 7, '2.000000', { is_frozen: true, is_lapsed: true }),
  ],
  claims: [claim('2026-03-03', '2.000000', 'paid'), claim('2026-03-04', '1.000000', 'cancelled')],
}

test('credited cycles add up, lost ones do not, and the rest is expected', () => {
  const picture = pictureOf(progress)
  expect(picture.credited).toEqual([
    { day: '2026-03-01', amount: '0' },
    { day: '2026-03-04', amount: '3.000000' },
    { day: '2026-03-06', amount: '5.000000' },
    { day: '2026-03-08', amount: '5.000000' },
  ])
  expect(picture.toCome).toEqual([
    { day: '2026-03-08', amount: '5.000000' },
    { day: '2026-03-11', amount: '8.000000' },
  ])
  expect(picture).toMatchObject({ lostAmount: '2.000000', frozenDays: 4, lastDay: '2026-03-11' })
  expect(picture.lost).toEqual([{ from: '2026-03-06', to: '2026-03-08' }])
})

test('valid claims are counted up to today', () => {
  expect(pictureOf(progress).claimed).toEqual([
    { day: '2026-03-01', amount: '0' },
    { day: '2026-03-03', amount: '2.000000' },
    { day: '2026-03-08', amount: '2.000000' },
  ])
})

test('before the first cycle everything is expected; at the end nothing', () => {
  expect(pictureOf({ ...progress, stretches: [], claims: [] }).toCome).toEqual([
    { day: '2026-03-01', amount: '0' },
    { day: '2026-03-11', amount: '10.000000' },
  ])
  expect(pictureOf({ ...progress, stretches: [stretch(1, 10, '10.000000')] }).toCome).toEqual([])
})

test('the past and the following month are on the same line', () => {
  const long = { ...progress, duration_days: 100, total_reward: '100.000000' }
  const whole = pictureOf(long)
  expect(whole.toCome.at(-1)).toEqual({ day: '2026-06-09', amount: '98.000000' })
  // In 93 days 93 DCT are expected.
  expect(upToNow(whole)).toMatchObject({
    lastDay: '2026-04-07',
    whole: '35.000000',
    credited: whole.credited,
    toCome: [
      { day: '2026-03-08', amount: '5.000000' },
      { day: '2026-04-07', amount: '35.000000' },
    ],
  })
  const short = pictureOf(progress)
  expect(upToNow(short)).toBe(short)
})
