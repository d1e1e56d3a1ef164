import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memory } from '../testing/memory.ts'

/** While the first request is held back, another tab may store another session. */
let release: () => void
let isHeldBack: boolean
let sent: { address: string; token: string | null }[]
const line = { onLine: true }
const storage = memory({ authToken: 'first' })

beforeEach(() => {
  vi.resetModules()
  sent = []
  isHeldBack = true
  line.onLine = true
  storage.stored.set('authToken', 'first')
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('navigator', line)
  vi.stubGlobal('localStorage', {
    ...storage,
    removeItem: (key: string) => storage.stored.delete(key),
  })
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) => {
    sent.push({ address, token: new Headers(init?.headers).get('authorization') })
    if (isHeldBack && sent.length === 1) await new Promise<void>((resolve) => (release = resolve))
    return address.endsWith('/held') && sent.length === 1
      ? Response.json({ code: 'STEP_UP_REQUIRED' }, { status: 403 })
      : Response.json({})
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  globalThis.earlyAnswers = undefined
})

const client = () => import('./client.ts')
const settled = (call: Promise<unknown>) => call.catch((error: unknown) => error)
const NOT_SENT = { status: 401, code: 'NOT_SIGNED_IN' }
const withToken = () => sent.filter(({ token }) => token !== null).map(({ address }) => address)

test('a write that waits for a connection is not sent for a session that was replaced meanwhile', async () => {
  line.onLine = false
  const { api } = await client()
  const call = settled(api.post('/user/claim', {}))
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  storage.stored.set('authToken', 'second')
  release()
  expect(await call).toMatchObject(NOT_SENT)
  expect(withToken()).toEqual([])
})

test('a read whose early response fails is not sent for a session that has ended meanwhile', async () => {
  isHeldBack = false
  const { api } = await client()
  let fail: (reason: Error) => void = () => undefined
  const answer = new Promise<Response>((_, reject) => (fail = reject))
  globalThis.earlyAnswers = {
    ...{ token: 'first', askedAt: performance.now() },
    answers: { '/api/user/earnings': answer },
  }
  const call = settled(api.get('/user/earnings'))
  storage.stored.delete('authToken')
  fail(new Error('offline'))
  expect(await call).toMatchObject(NOT_SENT)
  expect(sent).toEqual([])
})

test('an early response is not shown for a session that was replaced meanwhile', async () => {
  const { api } = await client()
  let give: (response: Response) => void = () => undefined
  const answer = new Promise<Response>((resolve) => (give = resolve))
  globalThis.earlyAnswers = {
    ...{ token: 'first', askedAt: performance.now() },
    answers: { '/api/user/earnings': answer },
  }
  const call = settled(api.get('/user/earnings'))
  storage.stored.set('authToken', 'second')
  give(Response.json({}))
  expect(await call).toMatchObject(NOT_SENT)
})

test('a request is not repeated for a session that was replaced while its confirmation was given', async () => {
  const { api, confirmBy } = await client()
  confirmBy(async () => {
    storage.stored.set('authToken', 'second')
    return true
  })
  const call = settled(api.post('/admin/held', {}))
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  release()
  expect(await call).toMatchObject(NOT_SENT)
  expect(withToken()).toEqual(['/api/admin/held'])
})

test('a session that the page has left can still be ended', async () => {
  const { api } = await client()
  storage.stored.delete('authToken')
  const call = api.post('/auth/logout', {}, { token: 'first' })
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  release()
  await call
  expect(sent).toEqual([{ address: '/api/auth/logout', token: 'Bearer first' }])
})

test('the age that an answer states for its data is noted', async () => {
  isHeldBack = false
  vi.stubGlobal('fetch', async () => Response.json({}, { headers: { 'data-age': '12' } }))
  const { api } = await client()
  const { reportAge } = await import('./report-age.ts')
  expect(reportAge()).toBe(0)
  await api.get('/admin/users')
  expect(reportAge()).toBe(12)
})
