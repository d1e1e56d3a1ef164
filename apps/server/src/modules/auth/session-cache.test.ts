import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { listenForSignals } from '../../platform/database/signals.ts'
import { everything } from '../../testing/all-tables.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { givenUser, type TestUser } from '../../testing/users.ts'
import { createSessionCache, SESSION_ENDED, type SessionCache } from './session-cache.ts'
import { deleteSessionsOf } from './sessions.queries.ts'

const database = useTestDatabase()
// Starts at real time, because the database signals the end of a session only if its own clock has not expired it yet.
const clock = new ManualClock(realClock.now())

beforeEach(() => wipe(database.db))

const deps = () => ({ db: database.db, clock, realClock: clock })
const create = (isListening = true) =>
  createSessionCache({ ...deps(), isListening: () => isListening })
const reads = async (sessions: SessionCache, { token }: TestUser) =>
  (await sessions.authenticate(token, { isRead: true }))?.id
const writes = async (sessions: SessionCache, { token }: TestUser) =>
  (await sessions.authenticate(token, { isRead: false }))?.id
/** Ends all sessions of a user. Only the last test listens for the signal; in the others it seems delayed. */
const end = ({ id }: TestUser) => deleteSessionsOf(database.db, id)

test('a session is reused for reads for one second and then read again', async () => {
  const sessions = create()
  const user = await givenUser(deps())
  expect(await reads(sessions, user)).toBe(user.id)
  await end(user)
  clock.advanceMs(999)
  expect(await reads(sessions, user)).toBe(user.id)
  clock.advanceMs(1)
  expect(await reads(sessions, user)).toBeUndefined()
})

test('background calls reuse a session for ten minutes, and do not count as use of it', async () => {
  const sessions = create()
  const asks = async ({ token }: TestUser) =>
    (await sessions.authenticate(token, { isRead: true, isBackground: true }))?.id
  const lastSeen = async ({ id }: TestUser) =>
    everything(database.db)
      .selectFrom('auth_session')
      .select('last_seen_at')
      .where('user_id', '=', id)
      .executeTakeFirstOrThrow()
  const user = await givenUser(deps())
  const opened = await lastSeen(user)
  clock.advanceMs(2 * 60_000)
  expect(await asks(user)).toBe(user.id)
  expect(await lastSeen(user)).toEqual(opened)
  expect(await reads(sessions, user)).toBe(user.id)
  clock.advanceMs(1_000)
  expect(await reads(sessions, user)).toBe(user.id)
  expect(await lastSeen(user)).not.toEqual(opened)

  await end(user)
  clock.advanceMs(10 * 60_000 - 1)
  expect(await asks(user)).toBe(user.id)
  clock.advanceMs(1)
  expect(await asks(user)).toBeUndefined()

  const other = await givenUser(deps())
  expect(await asks(other)).toBe(other.id)
  await end(other)
  sessions.forget(other.id)
  expect(await asks(other)).toBeUndefined()
})

test('concurrent calls share one read', async () => {
  const sessions = create()
  const user = await givenUser(deps())
  const [one, other] = await Promise.all([
    sessions.authenticate(user.token, { isRead: true }),
    sessions.authenticate(user.token, { isRead: true }),
  ])
  expect(one?.id).toBe(user.id)
  expect(other).toBe(one)
})

test('[T008] a write reads the session again, and so does every call of that user in the next second', async () => {
  const sessions = create()
  const user = await givenUser(deps())
  expect(await reads(sessions, user)).toBe(user.id)
  expect(await writes(sessions, user)).toBe(user.id)
  await end(user)
  expect(await reads(sessions, user)).toBeUndefined()

  const other = await givenUser(deps())
  expect(await reads(sessions, other)).toBe(other.id)
  await end(other)
  expect(await writes(sessions, other)).toBeUndefined()
})

test('[T008] an admin’s session is never reused, nor is any session while signals may be missed', async () => {
  const admin = await givenUser(deps(), { role: 'admin' })
  const sessions = create()
  expect(await reads(sessions, admin)).toBe(admin.id)
  await end(admin)
  expect(await reads(sessions, admin)).toBeUndefined()

  const user = await givenUser(deps())
  const deaf = create(false)
  expect(await reads(deaf, user)).toBe(user.id)
  await end(user)
  expect(await reads(deaf, user)).toBeUndefined()
})

test('[T008] a session that ends in one process ends in all others without any delay', async () => {
  const user = await givenUser(deps())
  const other = await givenUser(deps())
  const sessions = createSessionCache({ ...deps(), isListening: () => listener.isLive() })
  const listener = listenForSignals(
    { url: database.url },
    {
      onSignal: { [SESSION_ENDED]: (id) => sessions.forget(BigInt(id)) },
      onLost: sessions.forgetAll,
    },
  )
  onTestFinished(() => listener.stop())
  await expect.poll(() => listener.isLive()).toBe(true)
  const kept = await sessions.authenticate(other.token, { isRead: true })
  expect(await reads(sessions, user)).toBe(user.id)
  await end(user)
  await expect.poll(() => reads(sessions, user)).toBeUndefined()
  expect(await sessions.authenticate(other.token, { isRead: true })).toBe(kept)
})
