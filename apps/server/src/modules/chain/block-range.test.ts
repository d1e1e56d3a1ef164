import { expect, test } from 'vitest'
import { createBlockRange } from './block-range.ts'

test('a refused range is halved, down to one block, and doubled again after ten full answers', () => {
  const range = createBlockRange(100)
  expect(range.size()).toBe(100n)
  range.refused()
  range.refused()
  expect(range.size()).toBe(25n)
  for (let answers = 0; answers < 9; answers += 1) range.answered(25n)
  expect(range.size()).toBe(25n)
  range.answered(25n)
  expect(range.size()).toBe(50n)
  for (let answers = 0; answers < 10; answers += 1) range.answered(50n)
  expect(range.size()).toBe(100n)
  for (let refusals = 0; refusals < 9; refusals += 1) range.refused()
  expect(range.size()).toBe(1n)
})

test('answers for smaller ranges do not make the range grow', () => {
  const range = createBlockRange(100)
  range.refused()
  for (let answers = 0; answers < 50; answers += 1) range.answered(49n)
  expect(range.size()).toBe(50n)
})
