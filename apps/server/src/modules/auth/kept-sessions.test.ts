import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { hearAnnouncements } from '../../platform/announcements.ts'
import { realClock } from '../../platform/clock.ts'
import { createTestDatabase, type TestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { givenUser, type TestUser } from '../../testing/users.ts'
import { createKeptSessions, type KeptSessions, SESSION_ENDED } from './kept-sessions.ts'
import { deleteSessionsOf } from './sessions.queries.ts'

let database: TestDatabase
// Sessions that are live by the database's clock, too: only their ends are announced.
const clock = new ManualClock(realClock.now())

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(() => wipe(database.db))

const deps = () => ({ db: database.db, clock, realClock: clock })
const create = (isHearing = true) => createKeptSessions({ ...deps(), isHearing: () => isHearing })
const reads = async (sessions: KeptSessions, { token }: TestUser) =>
  (await sessions.authenticate(token, { isRead: true }))?.id
const writes = async (sessions: KeptSessions, { token }: TestUser) =>
  (await sessions.authenticate(token, { isRead: false }))?.id
/** Nobody in these tests but the last hears of it, as if the announcement were still on its way. */
const end = ({ id }: TestUser) => deleteSessionsOf(database.db, id)

test('a session that was read answers the reads of one second, and then is read again', async () => {
  const sessions = create()
  const user = await givenUser(deps())
  expect(await reads(sessions, user)).toBe(user.id)
  await end(user)
  clock.advanceMs(999)
  expect(await reads(sessions, user)).toBe(user.id)
  clock.advanceMs(1)
  expect(await reads(sessions, user)).toBeUndefined()
})

test('calls at once share one reading', async () => {
  const sessions = create()
  const user = await givenUser(deps())
  const [one, other] = await Promise.all([
    sessions.authenticate(user.token, { isRead: true }),
    sessions.authenticate(user.token, { isRead: true }),
  ])
  expect(one?.id).toBe(user.id)
  expect(other).toBe(one)
})

test('[T008] what writes reads the session anew, and so does everything of that user for a second after it', async () => {
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

test('[T008] the session of an admin is never kept, nor any while announcements may be missed', async () => {
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

test('[T008] a session that ends in one process ends in all, while no time passes', async () => {
  const user = await givenUser(deps())
  const other = await givenUser(deps())
  const sessions = createKeptSessions({ ...deps(), isHearing: () => hearing.isLive() })
  const hearing = hearAnnouncements(
    { url: database.url, channel: SESSION_ENDED },
    { onHeard: (id) => sessions.forget(BigInt(id)), onLost: sessions.forgetAll },
  )
  onTestFinished(() => hearing.stop())
  await expect.poll(() => hearing.isLive()).toBe(true)
  const kept = await sessions.authenticate(other.token, { isRead: true })
  expect(await reads(sessions, user)).toBe(user.id)
  await end(user)
  await expect.poll(() => reads(sessions, user)).toBeUndefined()
  expect(await sessions.authenticate(other.token, { isRead: true })).toBe(kept)
})
