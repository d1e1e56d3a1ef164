import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { SIGN_IN } from '../../testing/sign-in.ts'
import { givenUser } from '../../testing/users.ts'
import { removeUser, setRole } from './admins.ts'
import { createChallenge } from './create-challenge.ts'
import { confirmSession, deleteSessionsOf, listSessions } from './sessions.queries.ts'
import { authenticate } from './sessions.ts'
import { createStepUpGuard, stepUp } from './step-up.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const database = useTestDatabase()
const clock = new ManualClock('2026-01-31T10:00:00Z')

beforeEach(() => wipe(database.db))

const deps = () => ({ ...SIGN_IN, db: database.db, clock, realClock: clock })
const isOpen = async (token: string) => (await authenticate(deps(), token)) !== undefined

test("a holder's session expires after 7 idle days, is extended by use, and ends after 30 days", async () => {
  const unused = await givenUser(deps())
  clock.advanceMs(7 * DAY)
  expect(await isOpen(unused.token)).toBe(false)

  const used = await givenUser(deps())
  for (let day = 6; day < 30; day += 6) {
    clock.advanceMs(6 * DAY)
    expect(await isOpen(used.token), `day ${day}`).toBe(true)
  }
  clock.advanceMs(6 * DAY - 1)
  expect(await isOpen(used.token)).toBe(true)
  clock.advanceMs(1)
  expect(await isOpen(used.token)).toBe(false)
})

test("an admin's session ends after 30 idle minutes and after 12 hours", async () => {
  const idle = await givenUser(deps(), { role: 'admin' })
  clock.advanceMs(30 * MINUTE)
  expect(await isOpen(idle.token)).toBe(false)

  const busy = await givenUser(deps(), { role: 'admin' })
  for (let minute = 0; minute + 20 < 12 * 60; minute += 20) {
    clock.advanceMs(20 * MINUTE)
    expect(await isOpen(busy.token)).toBe(true)
  }
  clock.advanceMs(20 * MINUTE)
  expect(await isOpen(busy.token)).toBe(false)
})

test('[T008] a token is random, is stored only as a hash, and no other text is accepted in its place', async () => {
  const user = await givenUser(deps())
  expect(Buffer.from(user.token, 'base64url')).toHaveLength(32)
  const stored = await database.db.selectFrom('auth_session').selectAll().execute()
  expect(stored).toHaveLength(1)
  for (const value of Object.values(stored[0] ?? {})) {
    const text = Buffer.isBuffer(value) ? value.toString('base64url') : String(value)
    expect(text).not.toContain(user.token)
  }
  const header = Buffer.from('{"alg":"none"}').toString('base64url')
  const claims = Buffer.from(`{"sub":"${user.id}","role":"admin"}`).toString('base64url')
  for (const text of ['', 'x', `${user.token}A`, user.token.slice(1), `${header}.${claims}.`]) {
    expect(await isOpen(text)).toBe(false)
  }
})

test('[T008] a change of role or a removal ends all sessions immediately', async () => {
  const admin = await givenUser(deps(), { role: 'admin' })
  const user = await givenUser(deps())
  await setRole(deps(), { address: user.wallet.tronAddress, role: 'admin' })
  expect(await isOpen(user.token)).toBe(false)

  const removed = await givenUser(deps())
  await inTransaction(database.db, (tx) =>
    removeUser(tx, { userId: removed.id, byUserId: admin.id, at: clock.now() }),
  )
  expect(await isOpen(removed.token)).toBe(false)
  expect(await isOpen(admin.token)).toBe(true)
})

test('[T008] a role changed directly in the database applies from the next call', async () => {
  const user = await givenUser(deps(), { role: 'admin' })
  await database.db
    .updateTable('app_user')
    .set({ role: 'user' })
    .where('id', '=', user.id)
    .execute()
  expect(await isOpen(user.token)).toBe(false)
})

test("signing out everywhere ends only the caller's own sessions", async () => {
  const [user, other] = [await givenUser(deps()), await givenUser(deps())]
  await deleteSessionsOf(database.db, user.id)
  expect(await isOpen(user.token)).toBe(false)
  expect(await isOpen(other.token)).toBe(true)
})

test('where step-up is on, a sensitive action needs a signature from the last ten minutes', async () => {
  const admin = await givenUser(deps(), { role: 'admin' })
  const session = await authenticate(deps(), admin.token)
  if (session === undefined) throw new Error('no session')
  const guard = createStepUpGuard({ ...deps(), isRequired: true })
  await expect(guard(session)).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
  await createStepUpGuard({ ...deps(), isRequired: false })(session)

  const { message, nonce } = await createChallenge(deps(), {
    address: admin.address,
    ip: '192.0.2.1',
    subject: { purpose: 'step_up' },
  })
  const signature = await admin.wallet.signText(message)
  await stepUp(deps(), { user: session, nonce, signature, ip: '192.0.2.1' })
  await guard(session)
  clock.advanceMs(5 * MINUTE)
  await guard(session, { lastingMs: 5 * MINUTE - 1 })
  await expect(guard(session, { lastingMs: 5 * MINUTE })).rejects.toMatchObject({
    code: 'STEP_UP_REQUIRED',
  })
  await guard(session)
  clock.advanceMs(5 * MINUTE)
  await expect(guard(session)).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
})

test('what a clock that was a year ahead has written opens nothing: no session, no list of it, no fresh signature', async () => {
  const admin = await givenUser(deps(), { role: 'admin' })
  const session = await authenticate(deps(), admin.token)
  if (session === undefined) throw new Error('no session')
  const right = clock.now()
  clock.advanceMs(365 * DAY)
  const future = await givenUser(deps())
  await inTransaction(database.db, (tx) =>
    confirmSession(tx, { tokenHash: session.sessionHash, at: clock.now() }),
  )
  clock.set(right)
  expect(await isOpen(future.token)).toBe(false)
  expect(await listSessions(database.db, { userId: future.id, now: right })).toEqual([])
  await expect(createStepUpGuard({ ...deps(), isRequired: true })(session)).rejects.toMatchObject({
    code: 'STEP_UP_REQUIRED',
  })
})
