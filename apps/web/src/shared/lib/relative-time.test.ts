import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

const now = new Date('2026-06-01T00:00:00Z')
const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

test.each([
  [30, 'in 30 minutes'],
  [119, 'in 119 minutes'],
  [120, 'in 2 hours'],
  [47 * 60 + 59, 'in 47 hours'],
  [48 * 60, 'in 2 days'],
  [10 * 1440 - 1, 'in 9 days'],
  [-180, '3 hours ago'],
] as const)('%d minutes away: %s', (minutes, words) => {
  expect(relativeTime(after(minutes), now, 'en')).toBe(words)
})

test('Indonesian is supported', () => {
  expect(relativeTime(after(5 * 1440), now, 'id')).toBe('dalam 5 hari')
})
