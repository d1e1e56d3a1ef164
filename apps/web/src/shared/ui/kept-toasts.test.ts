import { expect, test } from 'vitest'
import { memory } from '../testing/memory.ts'
import { KeptToasts } from './kept-toasts.ts'

const texts = (store: KeptToasts) => store.get().map(({ text }) => text)

test('each account has its own list, newest first, which survives a reload', () => {
  const storage = memory()
  const before = new KeptToasts(storage)
  before.setOwner('T1')
  before.add('one')
  before.add('two')
  before.setOwner('T2')
  expect(texts(before)).toEqual([])

  const after = new KeptToasts(storage)
  expect(texts(after)).toEqual([])
  after.setOwner('T1')
  expect(texts(after)).toEqual(['two', 'one'])
})

test('without an account nothing is stored; only the latest entries are retained', () => {
  const store = new KeptToasts(memory())
  store.add('lost')
  store.setOwner('T1')
  for (let count = 1; count <= 60; count += 1) store.add(`${count}`)
  expect(store.get()).toHaveLength(50)
  expect(texts(store)[0]).toBe('60')
})

test.each(['', '{', '{}', '[1, null, {"at": 1}]'])('%j counts as an empty list', (text) => {
  const store = new KeptToasts(memory({ 'activity.T1': text }))
  store.setOwner('T1')
  expect(store.get()).toEqual([])
})
