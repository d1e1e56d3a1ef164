import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import type { Refusal } from '../../platform/errors.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { givenUser } from '../../testing/users.ts'
import { createWallet } from '../../testing/wallet.ts'
import { ensureAdmins, removeUser, setRole } from './admins.ts'
import { findUserByAddress } from './users.queries.ts'

const database = useTestDatabase()
const clock = new ManualClock('2026-01-31T10:00:00Z')

beforeEach(() => wipe(database.db))

const deps = () => ({ db: database.db, clock, realClock: clock })
const remove = (userId: bigint, byUserId: bigint) =>
  inTransaction(database.db, (tx) => removeUser(tx, { userId, byUserId, at: clock.now() })).then(
    () => 'removed',
    (error: Refusal) => error.code,
  )

test('the listed addresses become admins, registered or not, even with several processes in parallel', async () => {
  const [wallet, user] = [createWallet(), await givenUser(deps())]
  const named = [wallet.tronAddress, user.wallet.tronAddress]
  await Promise.all(Array.from({ length: 6 }, () => ensureAdmins(deps(), named)))
  expect(await findUserByAddress(database.db, wallet.address)).toMatchObject({ role: 'admin' })
  expect(await findUserByAddress(database.db, user.address)).toMatchObject({ role: 'admin' })
  expect(await database.db.selectFrom('app_user').select('id').execute()).toHaveLength(2)
})

test('an operator can remove the role, except from the last admin', async () => {
  const [first, second] = [
    await givenUser(deps(), { role: 'admin' }),
    await givenUser(deps(), { role: 'admin' }),
  ]
  const demote = (address: string) => setRole(deps(), { address, role: 'user' })
  expect(await demote(first.wallet.tronAddress)).toBe(true)
  await expect(demote(second.wallet.tronAddress)).rejects.toMatchObject({ code: 'LAST_ADMIN' })
  await expect(demote(createWallet().tronAddress)).rejects.toMatchObject({
    code: 'NOT_REGISTERED',
  })
  await expect(setRole(deps(), { address: 'T123', role: 'admin' })).rejects.toMatchObject({
    code: 'BAD_ADDRESS',
  })
})

test('[T014] when two admins remove each other concurrently, one remains', async () => {
  for (let round = 0; round < 10; round += 1) {
    await wipe(database.db)
    const [first, second] = [
      await givenUser(deps(), { role: 'admin' }),
      await givenUser(deps(), { role: 'admin' }),
    ]
    const answers = await Promise.all([remove(first.id, second.id), remove(second.id, first.id)])
    expect(answers.sort()).toEqual(['LAST_ADMIN', 'removed'])
  }
})

test('[T014] no admin can remove themselves, and a removed user can register again', async () => {
  const admin = await givenUser(deps(), { role: 'admin' })
  const user = await givenUser(deps())
  expect(await remove(admin.id, admin.id)).toBe('CANNOT_REMOVE_SELF')
  expect(await remove(user.id, admin.id)).toBe('removed')
  expect(await remove(user.id, admin.id)).toBe('NOT_FOUND')
  expect(await findUserByAddress(database.db, user.address)).toBeUndefined()
})
