import { beforeAll, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { everything } from '../../testing/all-tables.ts'
import { givenHolder } from '../../testing/claims.ts'
import { useFreshClaims } from '../../testing/fresh-claims.ts'
import { bearer, givenUser, type TestUser } from '../../testing/users.ts'
import { accountRoutes } from './account.routes.ts'

const { world } = useFreshClaims()

beforeAll(async () => {
  await world.app.register(accountRoutes, { prefix: '/api', db: world.db })
})

const close = (user: TestUser) => remove(user, '/api/user/account')

async function remove(user: TestUser, url: string) {
  const reply = await world.app.inject({ method: 'DELETE', url, headers: bearer(user) })
  return { status: reply.statusCode, body: reply.json() }
}
const emailOf = async ({ id }: TestUser) =>
  (
    await everything(world.db)
      .selectFrom('app_user')
      .select(['email', 'deleted_at'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).email

test('an account with locked tokens or unclaimed rewards is not closed, and keeps everything', async () => {
  const holder = await givenHolder(world, { days: 10 })
  expect(await close(holder)).toMatchObject({ status: 409, body: { code: 'ACCOUNT_IN_USE' } })
  expect(await emailOf(holder)).not.toBeNull()
})

test('closing an account removes e-mail, channels and sessions, and leaves the account to its wallet', async () => {
  const user = await givenUser({ ...world, realClock })
  await everything(world.db)
    .insertInto('message_channel')
    .values({
      ...{ user_id: user.id, kind: 'email', address: 'a@example.org', label: '' },
      ...{ created_at: realClock.now(), confirmed_at: null, ended_at: null, problem: null },
      ...{ push_key: null, push_secret: null },
    })
    .execute()
  expect(await close(user)).toMatchObject({ status: 200 })
  expect(await emailOf(user)).toBeNull()
  const left = everything(world.db)
    .selectFrom('message_channel')
    .select('id')
    .where('user_id', '=', user.id)
  expect(await left.execute()).toEqual([])
  expect((await close(user)).status, 'the session has ended').toBe(401)
})

test('the e-mail of the registration is removed alone, while tokens are locked too', async () => {
  const holder = await givenHolder(world, { days: 10 })
  const other = await givenUser({ ...world, realClock })
  expect(await remove(holder, '/api/user/registered-email')).toMatchObject({ status: 200 })
  expect(await emailOf(holder)).toBeNull()
  expect(await emailOf(other)).not.toBeNull()
})
