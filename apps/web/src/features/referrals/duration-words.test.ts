import { expect, test } from 'vitest'
import { durationWords } from './duration-words.ts'

test.each([
  [0, '1 minute'],
  [59, '1 minute'],
  [150, '3 minutes'],
  [7_199, '120 minutes'],
  [7_200, '2 hours'],
  [5.4 * 3_600, '5 hours'],
  [172_800, '2 days'],
  [10 * 86_400, '10 days'],
])('%d seconds are about %s', (seconds, words) => {
  expect(durationWords(seconds, 'en')).toBe(words)
})

test('durations are formatted in the page’s language', () => {
  expect(durationWords(7_200, 'id')).toBe('2 jam')
})
