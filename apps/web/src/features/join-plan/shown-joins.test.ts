import { expect, test } from 'vitest'
import { memory } from '../../shared/testing/memory.ts'
import { ShownJoins } from './shown-joins.ts'

test('an overlay opens in one tab per device, and reopens in that tab after a reload', () => {
  const device = memory()
  const tab = memory()
  const first = new ShownJoins(device, tab)
  expect(first.mayOpen('a')).toBe(true)
  first.opened('a')
  expect(new ShownJoins(device, memory()).mayOpen('a')).toBe(false)
  expect(new ShownJoins(device, tab).mayOpen('a')).toBe(true)
  expect(new ShownJoins(memory(), memory()).mayOpen('a')).toBe(true)
})

test('once closed, or shown by the page that sent it, it stays closed', () => {
  const shown = new ShownJoins(memory(), memory())
  shown.opened('a')
  shown.keepClosed('a')
  shown.keepClosed('b')
  expect([shown.mayOpen('a'), shown.mayOpen('b'), shown.mayOpen('c')]).toEqual([false, false, true])
})

test('unreadable entries are ignored', () => {
  const device = memory()
  device.setItem('shownJoins', '{broken')
  const shown = new ShownJoins(device, memory())
  expect(shown.mayOpen('a')).toBe(true)
  shown.opened('a')
  shown.keepClosed('a')
  expect(shown.mayOpen('a')).toBe(false)
})
