import { expect, test } from 'vitest'
import { placeNodes } from './place-nodes.ts'

const node = (level: number, parent: number | null, name: string) => ({
  level,
  parent,
  tron_address: name,
  total_referrals: 0,
})

test('members are placed on their level in the order of the members above', () => {
  const placed = placeNodes([
    node(1, null, 'a'),
    node(1, null, 'b'),
    node(2, 1, 'of b'),
    node(2, 0, 'of a'),
    node(3, 2, 'of of b'),
    node(3, 3, 'of of a'),
  ])
  const rows = placed.map(({ tron_address: name, level, across }) => [name, level, across])
  expect(rows).toEqual([
    ['a', 1, 0.25],
    ['b', 1, 0.75],
    ['of a', 2, 0.25],
    ['of b', 2, 0.75],
    ['of of a', 3, 0.25],
    ['of of b', 3, 0.75],
  ])
  expect(placed.map(({ from }) => from)).toEqual([
    { across: 0.5, level: 0 },
    { across: 0.5, level: 0 },
    { across: 0.25, level: 1 },
    { across: 0.75, level: 1 },
    { across: 0.25, level: 2 },
    { across: 0.75, level: 2 },
  ])
})

test('a single member is centred, an empty list has no positions', () => {
  expect(placeNodes([node(1, null, 'a')]).map(({ across }) => across)).toEqual([0.5])
  expect(placeNodes([])).toEqual([])
})
