import { expect, test } from 'vitest'
import { stripCells } from './strip-cells.ts'

const drawn = (count: number, limit = 30) =>
  stripCells({ reward_distribution_count: count, freeze_limit: limit })
    .map((state) => ({ credited: 'c', today: 't', coming: '.', last: 'l', over: 'x' })[state])
    .join('')

test.each([
  [0, '...........................lll'],
  [1, 't..........................lll'],
  [8, 'ccccccct...................lll'],
  [28, 'ccccccccccccccccccccccccccctll'],
  [29, 'cccccccccccccccccccccccccccctl'],
  [30, 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
  [44, 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
])('the strip of 30 days with %d cycles since the last claim is %s', (count, cells) => {
  expect(drawn(count)).toBe(cells)
})

test('of a long window, one cell stands for several days', () => {
  expect(drawn(5, 120)).toHaveLength(60)
  expect(drawn(5, 120)).toMatch(/^cct\.+l+$/)
  expect(drawn(60, 60)).toBe('x'.repeat(60))
})
