import { randomBytes } from 'node:crypto'
import type { TakeStepReply } from '@dct/api-contract/money-steps'
import { STEP_LEASE_MS } from '@dct/rules/money-steps'
import { beforeEach, expect, test } from 'vitest'
import type { App } from '../../platform/http/http.ts'
import { createTestApp } from '../../testing/app.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { bearer, givenUser, type TestUser } from '../../testing/users.ts'
import { stepsRoutes } from './steps.routes.ts'

const database = useTestDatabase(4)
const HASH = `0x${'ab'.repeat(32)}`
const FEE = 'fee:CLAIM-1'
const newAttempt = () => randomBytes(16).toString('hex')

let clock: ManualClock
let app: App
let budi: TestUser

beforeEach(async () => {
  clock = new ManualClock('2026-01-15T08:00:00Z')
  app = await createTestApp({ db: database.db, realClock: clock })
  const due = { requireDue: async () => undefined }
  await app.register(stepsRoutes, { prefix: '/api', db: database.db, realClock: clock, ...due })
  budi = await user()
})

const user = (role: 'user' | 'admin' = 'user') =>
  givenUser({ db: database.db, clock, realClock: clock }, { role })
const wait = (ms: number) => clock.set(new Date(clock.now().getTime() + ms))

async function call(who: TestUser, path: string, payload?: object) {
  const method = payload === undefined ? 'GET' : 'POST'
  const url = `/api/${path}`
  const reply = await app.inject({ method, url, headers: bearer(who), ...(payload && { payload }) })
  return { status: reply.statusCode, body: reply.json() }
}

type Press = { step?: string; attempt?: string; known?: string[]; below?: 'user' | 'admin' }
async function take(who: TestUser, press: Press = {}): Promise<TakeStepReply> {
  const { step = FEE, attempt = newAttempt(), known = [], below = 'user' } = press
  return (await call(who, `${below}/money-steps`, { step, attempt, known })).body
}
const report = (who: TestUser, attempt: string, facts: object, below = 'user') =>
  call(who, `${below}/money-steps/report`, { attempt, ...facts })
const open = async (who: TestUser, below = 'user') =>
  (await call(who, `${below}/money-steps`)).body.steps

test('while one page waits for its wallet, no other may ask, whatever its user was told', async () => {
  const first = newAttempt()
  expect(await take(budi, { attempt: first })).toMatchObject({ is_granted: true, steps: [] })
  const refused = await take(budi, { known: [first] })
  expect(refused).toMatchObject({ is_granted: false, may_confirm: false })
  expect(refused.steps).toMatchObject([{ attempt: first, state: 'waiting', tx_hash: null }])
  // Repeating the same request is harmless.
  expect(await take(budi, { attempt: first })).toMatchObject({ is_granted: true })
  expect(await open(budi)).toHaveLength(1)
})

test('of any number of pages that ask at once, one is granted', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => take(budi)))
  expect(answers.filter(({ is_granted }) => is_granted)).toHaveLength(1)
})

test('after a page is gone, another may ask once its user was told', async () => {
  const gone = newAttempt()
  await take(budi, { attempt: gone })
  wait(STEP_LEASE_MS + 1)
  const refused = await take(budi)
  expect(refused).toMatchObject({ is_granted: false, may_confirm: true })
  expect(refused.steps).toMatchObject([{ attempt: gone, state: 'asked', waits_until: null }])
  expect(await take(budi, { known: [gone] })).toMatchObject({ is_granted: true })
})

test('a page that waits renews its lease; one that gave up counts as gone at once', async () => {
  const attempt = newAttempt()
  await take(budi, { attempt })
  wait(STEP_LEASE_MS - 1)
  await report(budi, attempt, { outcome: 'waiting' })
  wait(STEP_LEASE_MS - 1)
  expect(await take(budi, { known: [attempt] })).toMatchObject({ is_granted: false })
  await report(budi, attempt, { outcome: 'unknown' })
  expect(await take(budi, { known: [attempt] })).toMatchObject({ is_granted: true })
})

test('a late word that a page waits does not hold up others once it has given up', async () => {
  const attempt = newAttempt()
  await take(budi, { attempt })
  await report(budi, attempt, { outcome: 'unknown' })
  await report(budi, attempt, { outcome: 'waiting' })
  expect(await take(budi, { known: [attempt] })).toMatchObject({ is_granted: true })
})

test('what certainly ended is forgotten; a hash that arrives later is remembered again', async () => {
  const attempt = newAttempt()
  await take(budi, { attempt })
  await report(budi, attempt, { outcome: 'ended' })
  expect(await open(budi)).toEqual([])
  await report(budi, attempt, { outcome: 'waiting' })
  expect(await open(budi)).toEqual([])
  await report(budi, attempt, { outcome: 'sent', tx_hash: HASH })
  expect(await open(budi)).toMatchObject([{ attempt, state: 'sent', tx_hash: HASH }])
  expect(await take(budi)).toMatchObject({ is_granted: false, may_confirm: true })
})

test('a step of Tron without a hash ends with its transaction’s time; a BSC wallet may send at any time', async () => {
  await take(budi, { step: 'join:PLAN-1' })
  await take(budi)
  wait(86_400_000)
  expect(await open(budi)).toMatchObject([{ step: FEE, state: 'asked' }])
  expect(await take(budi, { step: 'join:PLAN-1' })).toMatchObject({ is_granted: true })
})

test('holders have their own steps; admins share theirs, and see who asked', async () => {
  const [siti, ani, dewi] = [await user(), await user('admin'), await user('admin')]
  const attempt = newAttempt()
  await take(budi, { attempt })
  expect(await take(siti)).toMatchObject({ is_granted: true })
  await report(siti, attempt, { outcome: 'ended' })
  expect(await open(budi)).toHaveLength(1)

  const fund = { step: 'fund:PLAN-1', below: 'admin' } as const
  expect(await take(ani, fund)).toMatchObject({ is_granted: true })
  const refused = await take(dewi, fund)
  expect(refused).toMatchObject({ is_granted: false })
  expect(refused.steps).toMatchObject([{ tron_address: ani.wallet.tronAddress }])
})

test('once an admin announces that a payment is sent back, every other is told, until it is certain that nothing left', async () => {
  const [ani, dewi] = [await user('admin'), await user('admin')]
  const refund = { step: `refund:${HASH}:3`, below: 'admin' } as const
  const attempt = newAttempt()
  await take(ani, { ...refund, attempt })
  const announced = { attempt, tron_address: ani.wallet.tronAddress }
  const seen = await call(dewi, `admin/money-steps?step=${refund.step}`)
  expect(seen.body.steps).toMatchObject([{ ...announced, state: 'waiting' }])
  expect(await take(dewi, { ...refund, known: [attempt] })).toMatchObject({ is_granted: false })
  // Another transfer of the same transaction is another payment.
  expect(await take(dewi, { ...refund, step: `refund:${HASH}:4` })).toMatchObject({
    is_granted: true,
  })

  // The page is gone; whoever holds a wallet may have sent it at any time since.
  wait(1_200_000)
  const refused = await take(dewi, refund)
  expect(refused).toMatchObject({ is_granted: false, may_confirm: true })
  expect(refused.steps).toMatchObject([{ ...announced, state: 'asked' }])
  // Nobody ends the step of another.
  await report(dewi, attempt, { outcome: 'ended' }, 'admin')
  expect(await take(dewi, refund)).toMatchObject({ is_granted: false })
  await report(ani, attempt, { outcome: 'sent', tx_hash: HASH }, 'admin')
  expect((await take(dewi, refund)).steps).toMatchObject([{ ...announced, tx_hash: HASH }])
  await report(ani, attempt, { outcome: 'ended' }, 'admin')
  expect(await take(dewi, refund)).toMatchObject({ is_granted: true, steps: [] })
})

test.each([
  ['a holder', 'fund:PLAN-1', 'user'],
  ['an admin', FEE, 'admin'],
] as const)('%s cannot take %s', async (_who, step, role) => {
  const who = await user(role)
  const attempt = newAttempt()
  const { status, body } = await call(who, `${role}/money-steps`, { step, attempt, known: [] })
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'STEP_UNKNOWN' })
})
