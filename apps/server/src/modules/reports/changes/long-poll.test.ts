import pg from 'pg'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { type BusinessDay, realClock } from '../../../platform/clock.ts'
import { everything } from '../../../testing/all-tables.ts'
import { createTestApp } from '../../../testing/app.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { setRate } from '../../../testing/referrals.ts'
import { bearer, givenUser, type TestUser } from '../../../testing/users.ts'
import { changesRoutes } from '../changes.routes.ts'
import { createLongPoll, type LongPoll } from './long-poll.ts'
import { readMark } from './read-mark.ts'

const LONG_MS = 600_000
const database = useTestDatabase()
let holder: TestUser

beforeEach(async () => {
  await wipe(database.db)
  holder = await givenUser({ db: database.db, clock: realClock, realClock })
})

function openPoll(heldMs: number, isListening = true): LongPoll {
  const poll = createLongPoll({ db: database.db, isListening: () => isListening, heldMs })
  onTestFinished(() => poll.close())
  return poll
}
const markNow = () => readMark(database.db, holder)
const change = (bps: number) => setRate(database, { userId: holder.id, bps })
const never = new AbortController().signal

/** Counts the statements sent from now on. */
function countStatements(): { sent(): number; stop(): void } {
  const client = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
  const { query } = client
  let sent = 0
  client.query = function count(...args: unknown[]) {
    sent += 1
    return query.apply(this, args)
  }
  const stop = () => {
    client.query = query
  }
  onTestFinished(stop)
  return { sent: () => sent, stop }
}

/** Waits until a poll has been answered, or has read the mark and is being held. */
async function untilHeld(question: Promise<unknown>, statements: { sent(): number }, reads = 1) {
  let isAnswered = false
  void question.then(() => {
    isAnswered = true
  })
  await expect.poll(() => isAnswered || statements.sent() === reads, { interval: 2 }).toBe(true)
}

test('a poll without a mark, or with an older one, is answered immediately', async () => {
  const poll = openPoll(LONG_MS)
  const before = await markNow()
  expect(await poll.ask(holder, { since: undefined, isGone: never })).toEqual({
    ...{ mark: before, is_own: true },
  })
  await change(100)
  const answer = await poll.ask(holder, { since: before, isGone: never })
  expect(answer).toEqual({ mark: await markNow(), is_own: true })
  expect(answer?.mark).not.toBe(before)
})

test('changes that concern all holders are not reported as the holder’s own', async () => {
  const since = await markNow()
  const exempt = { day: '2031-01-01' as BusinessDay, reason: 'late_run' } as const
  await everything(database.db)
    .insertInto('exempt_day')
    .values({ ...exempt, recorded_at: realClock.now() })
    .execute()
  expect(await openPoll(LONG_MS).ask(holder, { since, isGone: never })).toMatchObject({
    is_own: false,
  })
})

test('a poll without changes costs one statement and is answered with nothing after its timeout', async () => {
  const since = await markNow()
  const statements = countStatements()
  expect(await openPoll(1).ask(holder, { since, isGone: never })).toBeUndefined()
  expect(statements.sent()).toBe(1)
})

test('a page receives no body while nothing has changed, and the new mark afterwards', async () => {
  const app = await createTestApp({ db: database.db, realClock })
  onTestFinished(async () => {
    await app.close()
  })
  await app.register(changesRoutes, { prefix: '/api', longPoll: openPoll(1) })
  const ask = async (since: string) => {
    const url = `/api/user/changes?since=${since}`
    const { statusCode, body } = await app.inject({ url, headers: bearer(holder) })
    return [statusCode, body]
  }
  const since = await markNow()
  expect(await ask(since)).toEqual([204, ''])
  await change(400)
  const changed = JSON.stringify({ mark: await markNow(), is_own: true })
  expect(await ask(since)).toEqual([200, changed])
})

test('a signal answers a held poll, by id or by address, once something has changed', async () => {
  const poll = openPoll(LONG_MS)
  for (const whom of [`${holder.id}`, holder.address.toString('hex')]) {
    const since = await markNow()
    const statements = countStatements()
    const answer = poll.ask(holder, { since, isGone: never })
    await untilHeld(answer, statements)
    poll.wake('12345')
    poll.wake(whom)
    await untilHeld(answer, statements, 2)
    await change(since.charCodeAt(0))
    poll.wake(whom)
    expect((await answer)?.mark).toBe(await markNow())
    statements.stop()
  }
})

test('a poll ends with its page, and with the process', async () => {
  const since = await markNow()
  const poll = openPoll(LONG_MS)
  const page = new AbortController()
  const gone = poll.ask(holder, { since, isGone: page.signal })
  page.abort()
  expect(await gone).toBeUndefined()
  const left = poll.ask(holder, { since, isGone: never })
  poll.close()
  expect(await left).toBeUndefined()
})

test('all polls are rechecked when signals may have been missed', async () => {
  const poll = openPoll(LONG_MS)
  const since = await markNow()
  const statements = countStatements()
  const answer = poll.ask(holder, { since, isGone: never })
  await untilHeld(answer, statements)
  await change(300)
  poll.wakeAll()
  expect((await answer)?.is_own).toBe(true)
})

test('while signals may be missed, a poll is held for three seconds at most', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const since = await markNow()
  const statements = countStatements()
  const deaf = openPoll(LONG_MS, false).ask(holder, { since, isGone: never })
  await untilHeld(deaf, statements)
  vi.advanceTimersByTime(3_000)
  expect(await deaf).toBeUndefined()
  expect(statements.sent()).toBe(1)
})
