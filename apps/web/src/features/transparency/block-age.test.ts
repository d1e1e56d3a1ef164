import { expect, test } from 'vitest'
import { blockAge } from './block-age.ts'

test.each([
  ['2026-01-01T00:00:10Z', 'seconds', 10],
  ['2026-01-01T00:01:59Z', 'seconds', 119],
  ['2026-01-01T00:02:00Z', 'minutes', 2],
  ['2026-01-01T01:59:59Z', 'minutes', 119],
  ['2026-01-01T02:00:00Z', 'hours', 2],
  ['2025-12-31T23:59:59Z', 'seconds', 0],
])('at %s the age of a block of midnight in %s is %i', (seenAt, unit, count) => {
  expect(blockAge('2026-01-01T00:00:00Z', seenAt)).toEqual({ unit, count })
})
