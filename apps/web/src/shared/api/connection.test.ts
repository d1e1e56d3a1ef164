import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const line = { onLine: true }
let answers: boolean
let asked: string[]

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  line.onLine = true
  answers = true
  asked = []
  vi.stubGlobal('navigator', line)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('fetch', async (address: string) => {
    asked.push(address)
    if (!answers) throw new TypeError('Failed to fetch')
    return new Response('', { status: 502 })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const connection = () => import('./connection.ts')

test('that the browser reports no connection proves nothing', async () => {
  line.onLine = false
  const { isOffline, isConnected } = await connection()
  expect(isOffline()).toBe(false)
  expect(await isConnected()).toBe(true)
  expect(isOffline()).toBe(false)
})

test('a failed request proves it, and an answer the opposite, even while the browser reports none', async () => {
  line.onLine = false
  const { isOffline, noteAnswer, onConnectionChange } = await connection()
  const changes: boolean[] = []
  onConnectionChange(() => changes.push(isOffline()))
  noteAnswer(false)
  noteAnswer(false)
  expect(isOffline()).toBe(true)
  noteAnswer(true)
  expect(isOffline()).toBe(false)
  expect(changes).toEqual([true, false])
})

test('a failed request while the browser reports a connection is a failed request', async () => {
  const { isOffline, isConnected, noteAnswer } = await connection()
  noteAnswer(false)
  expect(isOffline()).toBe(false)
  expect(await isConnected()).toBe(true)
  expect(asked).toEqual([])
})

test('a reported loss is checked at once, and its end is noticed without the browser’s report', async () => {
  const { isOffline, onConnectionChange } = await connection()
  onConnectionChange(() => undefined)
  line.onLine = false
  answers = false
  window.dispatchEvent(new Event('offline'))
  await vi.advanceTimersByTimeAsync(0)
  expect(isOffline()).toBe(true)
  answers = true
  await vi.advanceTimersByTimeAsync(10_000)
  expect(isOffline()).toBe(false)
  expect(asked).toEqual(['/api/health', '/api/health'])
})
