import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { createReferralApp, type Family, givenFamily } from '../../../testing/referral-app.ts'
import { setRate } from '../../../testing/referrals.ts'
import { useWorld } from '../../../testing/use-world.ts'
import type { TestUser } from '../../../testing/users.ts'

const database = useTestDatabase(20)
const world = useWorld(() => createReferralApp(database.db))
let family: Family
beforeEach(async () => {
  await wipe(database.db)
  family = await givenFamily(world)
})

const get = (url: string, by: TestUser) => world.call('GET', url, { by })
const put = (by: TestUser, target: string, referral_reward_percentage: unknown) =>
  world.call('PUT', '/admin/update-referral-reward', {
    by,
    payload: { target_tron_address: target, referral_reward_percentage },
  })

test.each([
  ['12.5', '12.5'],
  [40, '40'],
  [0, '0'],
  ['', '0'],
  [null, '0'],
  ['50', '50'],
])('[API-46, API-67] the percentage %j is set', async (sent, shown) => {
  const { admin, middle, top } = family
  const answer = await put(admin, middle.wallet.tronAddress, sent)
  expect(answer).toMatchObject({
    status: 200,
    body: {
      message: expect.any(String),
      tron_address: middle.wallet.tronAddress,
      referral_reward_percentage: shown,
      is_set: true,
    },
  })
  const me = await get('/auth/me', middle)
  expect(me.body).toMatchObject({ referral_reward_percentage: shown })
  expect((await get('/auth/me', top)).body).toMatchObject({ referral_reward_percentage: '20' })
})

test.each([
  ['abc', 'Masukkan persentase yang valid'],
  ['NaN', 'Masukkan persentase yang valid'],
  ['5e1', 'Masukkan persentase yang valid'],
  ['12.345', 'Masukkan persentase yang valid'],
  [-1, 'Persentase harus antara 0-75%'],
  ['-0.01', 'Persentase harus antara 0-75%'],
  [75.01, 'Persentase harus antara 0-75%'],
  ['1e9', 'Masukkan persentase yang valid'],
  ['100', 'Persentase harus antara 0-75%'],
])('[T086] the percentage %j is refused with the specified message', async (sent, message) => {
  const { admin, top } = family
  expect(await put(admin, top.wallet.tronAddress, sent)).toMatchObject({
    status: 400,
    body: { message },
  })
  expect((await get('/auth/me', top)).body).toMatchObject({ referral_reward_percentage: '20' })
})

test('[T086] every change of a percentage is logged permanently with the old and the new value', async () => {
  const { admin, middle } = family
  for (const percentage of ['10', '20', '0']) {
    await put(admin, middle.wallet.tronAddress, percentage)
  }
  const log = await database.db.selectFrom('setting_change').selectAll().orderBy('id').execute()
  expect(log.map(({ old_value, value, set_by }) => [old_value, value, set_by])).toEqual([
    [0n, 1_000n, admin.id],
    [1_000n, 2_000n, admin.id],
    [2_000n, 0n, admin.id],
  ])
  for (const statement of [
    sql`update setting_change set value = 1`,
    sql`delete from setting_change`,
  ]) {
    await expect(statement.execute(database.db)).rejects.toMatchObject({ code: '23514' })
  }
})

test('[T086] concurrent changes are each logged with the value that the previous one set', async () => {
  const { admin, middle } = family
  const rates = Array.from({ length: 16 }, (_, at) => `${at + 1}`)
  await Promise.all(rates.map((rate) => put(admin, middle.wallet.tronAddress, rate)))
  const log = await database.db.selectFrom('setting_change').selectAll().orderBy('id').execute()
  expect(log).toHaveLength(16)
  for (const [at, change] of log.entries()) {
    expect(change.old_value).toBe(at === 0 ? 0n : log[at - 1]?.value)
  }
})

test('a raise above the threshold waits for a second admin', async () => {
  const { admin, middle } = family
  const second = await world.given({ role: 'admin' })
  const target = middle.wallet.tronAddress
  expect(await put(admin, target, '50.01')).toMatchObject({
    status: 202,
    body: {
      is_set: false,
      referral_reward_percentage: '0',
      message: expect.stringContaining('Nothing has changed yet'),
    },
  })
  expect((await put(admin, target, '50.01')).body).toMatchObject({ is_set: false })
  expect((await put(second, target, '60')).body).toMatchObject({ is_set: false })
  expect((await get('/auth/me', middle)).body).toMatchObject({ referral_reward_percentage: '0' })
  expect((await put(admin, target, '60')).body).toMatchObject({ is_set: true })
  expect((await get('/auth/me', middle)).body).toMatchObject({ referral_reward_percentage: '60' })
  expect((await put(admin, target, '55')).body).toMatchObject({ is_set: true })
  const log = await database.db.selectFrom('setting_change').selectAll().orderBy('id').execute()
  expect(log).toMatchObject([
    { value: 6_000n, set_by: second.id, confirmed_by: admin.id, needs_two: true },
    { value: 5_500n, set_by: admin.id, confirmed_by: null, needs_two: false },
  ])
})

test('a proposal older than a day confirms nothing, and even in SQL no admin can confirm their own', async () => {
  const { admin, middle } = family
  const second = await world.given({ role: 'admin' })
  await put(admin, middle.wallet.tronAddress, '75')
  world.clock.advanceMs(24 * 3_600_000)
  expect((await put(second, middle.wallet.tronAddress, '75')).body).toMatchObject({ is_set: false })
  const alone = (confirmed_by: bigint | null) =>
    database.db
      .insertInto('setting_change')
      .values({
        user_id: middle.id,
        kind: 'referral_percentage',
        value: 7_500n,
        set_by: admin.id,
        confirmed_by,
        needs_two: true,
        at: world.clock.now(),
      })
      .execute()
  await expect(alone(null)).rejects.toMatchObject({ constraint: 'setting_change_two_admins' })
  await expect(alone(admin.id)).rejects.toMatchObject({ constraint: 'setting_change_two_admins' })
})

test('a sole admin can set any percentage but their own', async () => {
  const { admin, middle } = family
  expect(await put(admin, middle.wallet.tronAddress, '75')).toMatchObject({
    status: 200,
    body: { is_set: true, referral_reward_percentage: '75' },
  })
  expect((await get('/auth/me', middle)).body).toMatchObject({ referral_reward_percentage: '75' })
  for (const percentage of ['1', '0']) {
    expect(await put(admin, admin.wallet.tronAddress, percentage)).toMatchObject({
      status: 403,
      body: { code: 'OWN_PERCENTAGE' },
    })
  }
})

test('no admin can change their own earnings alone, however little', async () => {
  const { admin } = family
  const second = await world.given({ role: 'admin' })
  const own = admin.wallet.tronAddress
  expect((await put(admin, own, '1')).status).toBe(202)
  expect((await put(admin, own, '1')).status).toBe(202)
  expect((await get('/auth/me', admin)).body).toMatchObject({ referral_reward_percentage: '0' })
  expect((await put(second, own, '1')).body).toMatchObject({ is_set: true })
  expect((await put(admin, own, '0')).status).toBe(202)
})

test('no admin can alone reduce the percentage of a user below, to earn more of the same fees', async () => {
  const { admin } = family
  const second = await world.given({ role: 'admin' })
  const below = await world.given({ referrerId: admin.id })
  const deep = await world.given({ referrerId: below.id })
  await setRate(world.people, { userId: admin.id, bps: 2_000 })
  const target = deep.wallet.tronAddress
  expect((await put(admin, target, '15')).status).toBe(200)
  expect((await put(admin, target, '10')).status).toBe(202)
  expect((await put(second, target, '12')).status).toBe(200)
  await setRate(world.people, { userId: deep.id, bps: 3_000 })
  expect((await put(admin, target, '20')).status).toBe(200)
})

test('the log names the user by address', async () => {
  const { admin, middle } = family
  await put(admin, middle.wallet.tronAddress, '12.5')
  const log = await database.db.selectFrom('admin_log').select(['action', 'subject']).execute()
  expect(log).toEqual([{ action: 'referral_percentage.set', subject: middle.wallet.tronAddress }])
})
