import type { BusinessDay } from '@dct/rules/business-day'
import { expect, test } from 'vitest'
import { relativeDay } from './relative-day.ts'

const today = '2026-11-27' as BusinessDay

test.each([
  ['2026-11-27', 'today'],
  ['2026-11-28', 'tomorrow'],
  ['2026-12-01', 'in 4 days'],
  ['2027-01-03', 'in 37 days'],
  ['2026-11-26', 'yesterday'],
])('seen on 27 November, %s is %s', (day, words) => {
  expect(relativeDay(day as BusinessDay, today, 'en')).toBe(words)
})

test('Indonesian is supported', () => {
  expect(relativeDay('2026-12-02' as BusinessDay, today, 'id')).toBe('dalam 5 hari')
})
