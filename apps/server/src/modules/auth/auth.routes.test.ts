import { User } from '@dct/api-contract/auth'
import { type Dct, DECIMALS, parseAmount } from '@dct/money'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { App } from '../../platform/http/http.ts'
import { createTestApp } from '../../testing/app.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { SIGN_IN } from '../../testing/sign-in.ts'
import { bearer, givenUser } from '../../testing/users.ts'
import { createWallet, type TestWallet } from '../../testing/wallet.ts'
import { authRoutes } from './auth.routes.ts'
import type { ReferralTotals } from './describe-users.ts'
import { sessionsRoutes } from './sessions.routes.ts'

const database = useTestDatabase()
let app: App
const clock = new ManualClock('2026-01-31T10:00:00Z')
const totals = new Map<bigint, ReferralTotals>()

beforeAll(async () => {
  app = await createTestApp({ db: database.db, realClock: clock })
  const shared = { prefix: '/api', db: database.db, clock, realClock: clock }
  const deps = {
    ...shared,
    ...SIGN_IN,
    dctDecimals: DECIMALS.DCT,
    readReferralTotals: async () => totals,
    readChangeMark: async () => 'mark',
  }
  await app.register(authRoutes, deps)
  await app.register(sessionsRoutes, deps)
})
afterAll(() => app.close())
beforeEach(() => wipe(database.db))

const deps = () => ({ db: database.db, clock, realClock: clock })

async function post(path: string, payload: object, headers: Record<string, string> = {}) {
  const answer = await app.inject({ method: 'POST', url: `/api${path}`, payload, headers })
  return { status: answer.statusCode, body: answer.json() }
}
async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ method: 'GET', url: `/api${path}`, headers })
  return { status: answer.statusCode, body: answer.json() }
}
async function prove(wallet: TestWallet, body: object, headers: Record<string, string> = {}) {
  const asked = { tron_address: wallet.tronAddress, ...body }
  const challenge = await post('/auth/challenge', asked, headers)
  expect(challenge.status, JSON.stringify(challenge.body)).toBe(200)
  const { message, nonce } = challenge.body
  return { nonce, signature: await wallet.signText(message) }
}
async function registerAs(wallet: TestWallet, applicant: object) {
  const proof = await prove(wallet, { purpose: 'register', ...applicant })
  const own = { tron_address: wallet.tronAddress, accept_terms: true }
  return post('/auth/register', { ...own, ...applicant, ...proof })
}
async function logInAs(wallet: TestWallet) {
  const proof = await prove(wallet, { purpose: 'login' })
  return post('/auth/login', { tron_address: wallet.tronAddress, ...proof })
}

test('[API-06] a registration returns message, own code and referrer', async () => {
  const referrer = await givenUser(deps())
  const applicant = { email: 'a@example.org', referrer_code: referrer.referralCode }
  const answer = await registerAs(createWallet(), applicant)
  expect(answer).toEqual({
    status: 200,
    body: {
      message: 'Successful registration',
      referral_code: expect.stringMatching(/^[A-HJ-NP-Z2-9]{8}$/),
      referrer_tron_address: referrer.wallet.tronAddress,
    },
  })
  const alone = await registerAs(createWallet(), { email: 'a@example.org', referrer_code: '' })
  expect(alone.body.referrer_tron_address).toBeNull()
})

test('[API-05] a login returns a token and the user', async () => {
  const wallet = createWallet()
  await registerAs(wallet, { email: 'a@example.org' })
  const answer = await logInAs(wallet)
  expect(answer.status).toBe(200)
  expect(answer.body.token).toMatch(/^[\w-]{43}$/)
  expect(answer.body.user).toMatchObject({ tron_address: wallet.tronAddress, role: 'user' })
  const me = await get('/auth/me', bearer(answer.body))
  expect(me.body.user).toEqual(answer.body.user)
})

test('[ENT-01, API-07, API-76] the user is returned under both names, with all fields', async () => {
  const referrer = await givenUser(deps())
  const user = await givenUser(deps(), { referrerId: referrer.id, email: 'b@example.org' })
  totals.set(user.id, {
    referrals: 3,
    omset: 12_500_000n as Dct,
    directReward: parseAmount('USDT', '2.5'),
    directClaimed: parseAmount('USDT', '1'),
    indirectReward: parseAmount('USDT', '0.4'),
    indirectClaimed: parseAmount('USDT', '0.1'),
  })
  await database.db
    .updateTable('app_user')
    .set({ referral_reward_bps: 1_250 })
    .where('id', '=', user.id)
    .execute()
  const { status, body } = await get('/auth/me', bearer(user))
  expect(status).toBe(200)
  const fields = {
    id: String(user.id),
    tron_address: user.wallet.tronAddress,
    email: 'b@example.org',
    referrer_code: referrer.referralCode,
    role: 'user',
    referral_code: user.referralCode,
    referrer_tron_address: referrer.wallet.tronAddress,
    created_at: '2026-01-31T10:00:00.000Z',
    total_referrals: 3,
    referral_reward_percentage: '12.5',
    total_referral_omset: '12.500000',
    total_direct_reward: '2.500000',
    total_indirect_reward: '0.400000',
    total_direct_claimed: '1.000000',
    total_indirect_claimed: '0.100000',
    total_direct_unclaimed: '1.500000',
    total_indirect_unclaimed: '0.300000',
  }
  expect(body.user).toEqual(fields)
  expect(body).toMatchObject(fields)
  totals.clear()
})

test('[ENT-02] a role is admin or user, in responses and in the database', async () => {
  const admin = await givenUser(deps(), { role: 'admin' })
  const user = await givenUser(deps())
  expect((await get('/auth/me', bearer(admin))).body.user.role).toBe('admin')
  expect((await get('/auth/me', bearer(user))).body.user.role).toBe('user')
  expect(Value.Check(User.properties.role, 'owner')).toBe(false)
  const promote = database.db.updateTable('app_user').set({ role: 'owner' as 'admin' })
  await expect(promote.execute()).rejects.toMatchObject({ code: '23514' })
})

test('[ENT-03] an address belongs to one user: a login finds it, a second registration is refused', async () => {
  const [wallet, other] = [createWallet(), createWallet()]
  await registerAs(wallet, { email: 'a@example.org' })
  await registerAs(other, { email: 'a@example.org' })
  expect((await logInAs(wallet)).body.user.tron_address).toBe(wallet.tronAddress)
  const again = { tron_address: wallet.tronAddress, purpose: 'register', email: 'c@example.org' }
  expect(await post('/auth/challenge', again)).toMatchObject({
    status: 409,
    body: { code: 'ALREADY_REGISTERED' },
  })
})

test('[T001] calls without proof of the address get 401 and change nothing', async () => {
  const user = await givenUser(deps())
  const address = { tron_address: user.wallet.tronAddress }
  const login = await post('/auth/login', address)
  expect(login).toMatchObject({ status: 401, body: { code: 'SIGNATURE_REQUIRED' } })
  const stranger = { tron_address: createWallet().tronAddress, email: 'a@example.org' }
  const registration = await post('/auth/register', { ...stranger, referrer_code: '' })
  expect(registration).toMatchObject({ status: 401, body: { code: 'SIGNATURE_REQUIRED' } })
  expect(await database.db.selectFrom('app_user').select('id').execute()).toHaveLength(1)
})

test('[T006] a malformed signature is refused and never causes an internal error', async () => {
  const user = await givenUser(deps())
  const { nonce } = await prove(user.wallet, { purpose: 'login' })
  for (const signature of ['0x', 'zz', `0x${'00'.repeat(65)}`, `0x${'ab'.repeat(5_000)}`]) {
    const body = { tron_address: user.wallet.tronAddress, nonce, signature }
    const answer = await post('/auth/login', body)
    expect(answer).toMatchObject({ status: 401, body: { code: 'BAD_SIGNATURE' } })
  }
})

test.each([
  ["'; --", 401, 'CHALLENGE_EXPIRED'],
  ['ab'.repeat(16), 401, 'CHALLENGE_EXPIRED'],
  ['a\0b', 400, 'BAD_REQUEST'],
  ['\ud800', 400, 'BAD_REQUEST'],
])('the unknown nonce %j is refused and causes no internal error', async (nonce, status, code) => {
  const user = await givenUser(deps())
  const signature = await user.wallet.signText('x')
  const body = { tron_address: user.wallet.tronAddress, nonce, signature }
  expect(await post('/auth/login', body)).toMatchObject({ status, body: { code } })
})

test.each(['41a614f803b6fd780986a42c78ec9c7f77e6ded13c', 'T123', ' ', 'x'.repeat(65)])(
  '[T005] no call accepts %s as an address',
  async (tron_address) => {
    for (const path of ['/auth/challenge', '/auth/login', '/auth/register']) {
      const extra = path === '/auth/challenge' ? { purpose: 'login' } : {}
      const body = { tron_address, email: 'a@example.org', ...extra }
      expect((await post(path, body)).status).toBe(400)
    }
  },
)

test('[ROLE-16] [T008] without a valid token every other call is refused', async () => {
  const user = await givenUser(deps())
  const calls = [
    ['GET', '/auth/me'],
    ['GET', '/auth/sessions'],
    ['DELETE', '/auth/sessions'],
    ['POST', '/auth/logout'],
    ['POST', '/auth/step-up'],
  ] as const
  for (const [method, path] of calls) {
    for (const authorization of [undefined, 'Bearer', `Bearer ${user.token}x`, user.token]) {
      const headers = authorization === undefined ? {} : { authorization }
      const payload = path === '/auth/step-up' ? { payload: {} } : {}
      const answer = await app.inject({ method, url: `/api${path}`, headers, ...payload })
      expect(answer.statusCode, `${method} ${path} ${authorization}`).toBe(401)
      expect(answer.json()).toMatchObject({ code: 'NOT_SIGNED_IN' })
    }
  }
})

test('[T008] a logged-out token is refused; other sessions remain valid', async () => {
  const wallet = createWallet()
  await registerAs(wallet, { email: 'a@example.org' })
  const [first, second] = [(await logInAs(wallet)).body, (await logInAs(wallet)).body]
  const listed = await get('/auth/sessions', bearer(first))
  expect(listed.body.sessions).toHaveLength(2)
  expect(
    listed.body.sessions.filter((each: { is_current: boolean }) => each.is_current),
  ).toHaveLength(1)
  expect((await post('/auth/logout', {}, bearer(first))).status).toBe(200)
  expect((await get('/auth/me', bearer(first))).status).toBe(401)
  expect((await get('/auth/me', bearer(second))).status).toBe(200)
})

test('[T011] users can neither see nor end the sessions of others', async () => {
  const [user, other] = [await givenUser(deps()), await givenUser(deps())]
  const query = `?user_id=${other.id}&tron_address=${other.wallet.tronAddress}`
  const refused = { status: 400, body: { code: 'UNKNOWN_FIELD' } }
  for (const path of ['/auth/sessions', '/auth/me']) {
    expect(await get(`${path}${query}`, bearer(user))).toMatchObject(refused)
  }
  expect((await get('/auth/sessions', bearer(user))).body.sessions).toHaveLength(1)
  for (const url of [`/api/auth/sessions${query}`, '/api/auth/sessions']) {
    await app.inject({ method: 'DELETE', url, headers: bearer(user) })
  }
  expect((await get('/auth/me', bearer(other))).status).toBe(200)
})

test('signing out everywhere ends every session of the caller', async () => {
  const wallet = createWallet()
  await registerAs(wallet, { email: 'a@example.org' })
  const [first, second] = [(await logInAs(wallet)).body, (await logInAs(wallet)).body]
  const answer = await app.inject({
    method: 'DELETE',
    url: '/api/auth/sessions',
    headers: bearer(first),
  })
  expect(answer.json()).toEqual({ message: 'Logged out everywhere. Sessions ended: 2.' })
  expect((await get('/auth/me', bearer(second))).status).toBe(401)
})

test('a challenge for a sensitive action needs a session of that wallet', async () => {
  const [user, other] = [await givenUser(deps()), await givenUser(deps())]
  const ask = (extra: object, headers = {}) =>
    post('/auth/challenge', { tron_address: user.wallet.tronAddress, ...extra }, headers)
  const claim = { purpose: 'referral_claim', usdt_address: `0x${'ab'.repeat(20)}`, type: 'direct' }
  expect((await ask(claim)).status).toBe(401)
  expect((await ask({ purpose: 'step_up' })).status).toBe(401)
  expect((await ask(claim, bearer(other))).body.code).toBe('WRONG_WALLET')
  expect((await ask(claim, bearer(user))).status).toBe(200)
  expect((await ask({ purpose: 'referral_claim' }, bearer(user))).body).toMatchObject({
    code: 'BAD_REQUEST',
    details: { field: 'usdt_address' },
  })
})

test('a step-up returns the time until which the session is confirmed', async () => {
  const admin = await givenUser(deps(), { role: 'admin' })
  const proof = await prove(admin.wallet, { purpose: 'step_up' }, bearer(admin))
  const answer = await post('/auth/step-up', proof, bearer(admin))
  expect(answer.body.confirmed_until).toBe('2026-01-31T10:10:00.000Z')
})

test('[T012] unknown fields are refused, whatever their names', async () => {
  const wallet = createWallet()
  const known = { tron_address: wallet.tronAddress, email: 'a@example.org', accept_terms: true }
  for (const extra of ['role', 'referral_reward_percentage', 'id', 'referrer_id', 'is_admin']) {
    const answer = await post('/auth/register', { ...known, [extra]: 'admin' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'UNKNOWN_FIELD' } })
  }
  const login = { tron_address: wallet.tronAddress, purpose: 'login', email: 'a@example.org' }
  expect((await post('/auth/challenge', login)).body.code).toBe('UNKNOWN_FIELD')
  const raw = await app.inject({
    method: 'POST',
    url: '/api/auth/register',
    headers: { 'content-type': 'application/json' },
    payload: `{"tron_address":"${wallet.tronAddress}","email":"a@b.co","__proto__":{"role":"admin"}}`,
  })
  expect(raw.statusCode).toBe(400)
})

test('wrong types, invalid JSON and oversized bodies are refused too', async () => {
  const send = (payload: string) =>
    app.inject({
      method: 'POST',
      url: '/api/auth/login',
      headers: { 'content-type': 'application/json' },
      payload,
    })
  for (const payload of ['', '{', '[]', 'null', '{"tron_address":1}', '{"tron_address":null}']) {
    expect((await send(payload)).statusCode, payload).toBe(400)
  }
  expect((await send(`{"tron_address":"${'T'.repeat(2_000_000)}"}`)).statusCode).toBe(413)
})
