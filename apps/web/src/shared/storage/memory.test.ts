import { afterEach, expect, test } from 'vitest'
import { lendStorage } from './lend-storage.ts'
import { LastingMemory } from './memory.ts'

/** A working storage with these differences. */
function storage(entries: Record<string, string>, odd: Partial<Storage> = {}): Storage {
  const stored = new Map(Object.entries(entries))
  const working: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
  }
  return { ...working, ...odd } as Storage
}

const refuse = (): never => {
  throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
}

const UNUSABLE: [string, () => Storage | null | undefined][] = [
  ['blocked', refuse],
  ['null, as in some WebViews', () => null],
  ['undefined', () => undefined],
  ['one whose every call fails', () => storage({}, { getItem: refuse, setItem: refuse })],
  ['full', () => storage({ key: 'older' }, { setItem: refuse })],
  ['one that discards what is written', () => storage({}, { setItem: () => undefined })],
  ['one that returns no text', () => storage({}, { getItem: () => ({}) as never })],
]

test.each(UNUSABLE)('what a storage does not take is remembered here: %s', (_, open) => {
  const memory = new LastingMemory(open)
  memory.setItem('key', 'new')
  expect(memory.getItem('key')).toBe('new')
  expect(memory.isLasting()).toBe(false)
  memory.removeItem('key')
  expect(memory.getItem('key')).toBeNull()
})

test.each(UNUSABLE)('it is known before anything is written: %s', (_, open) => {
  expect(new LastingMemory(open).isLasting()).toBe(false)
})

test('nothing looks the storage up before it is used', () => {
  const looks: string[] = []
  const memory = new LastingMemory(() => {
    looks.push('look')
    return storage({})
  })
  expect(looks).toEqual([])
  expect(memory.getItem('key')).toBeNull()
  expect(looks).toEqual(['look'])
})

test('what a working storage takes stays in it alone, and is gone when another page clears it', () => {
  let real = storage({})
  const memory = new LastingMemory(() => real)
  expect(memory.isLasting()).toBe(true)
  memory.setItem('key', 'value')
  expect(real.getItem('key')).toBe('value')
  real = storage({})
  expect(memory.getItem('key')).toBeNull()
  expect(memory.isLasting()).toBe(true)
})

test('an entry that cannot be removed is hidden, and one that fits again is lasting again', () => {
  let isFull = true
  const real = storage({ token: 'old' })
  const { setItem } = real
  const odd = {
    setItem: (key: string, value: string) => (isFull ? refuse() : setItem(key, value)),
    removeItem: refuse,
  }
  const memory = new LastingMemory(() => Object.assign(real, odd))
  const changes: boolean[] = []
  memory.subscribe(() => changes.push(memory.isLasting()))
  memory.removeItem('token')
  expect(memory.getItem('token')).toBeNull()
  isFull = false
  memory.setItem('token', 'new')
  expect(memory.getItem('token')).toBe('new')
  expect(real.getItem('token')).toBe('new')
  expect(changes).toEqual([false, true])
})

const before = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'localStorage')
  if (before) Object.defineProperty(globalThis, 'localStorage', before)
})

test('libraries get a stand-in for a storage that cannot be used', () => {
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get: refuse })
  lendStorage()
  localStorage.setItem('one', '1')
  localStorage.setItem('two', '2')
  expect([localStorage.length, localStorage.key(1), localStorage.getItem('one')]).toEqual([
    2,
    'two',
    '1',
  ])
  localStorage.removeItem('one')
  expect(localStorage.getItem('one')).toBeNull()
})
