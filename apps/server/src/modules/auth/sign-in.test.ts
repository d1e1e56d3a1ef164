import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { codeOf, SIGN_IN } from '../../testing/sign-in.ts'
import { givenUser } from '../../testing/users.ts'
import { createWallet, type TestWallet } from '../../testing/wallet.ts'
import { challengeText } from './challenge-text.ts'
import { type ChallengeSubject, createChallenge } from './create-challenge.ts'
import { logIn } from './log-in.ts'
import { proveReferralClaim } from './prove-challenge.ts'
import { authenticate } from './sessions.ts'

const database = useTestDatabase(24)
const clock = new ManualClock('2026-01-31T10:00:00Z')
const { site } = SIGN_IN
const client = { ip: '192.0.2.1', userAgent: 'test', device: undefined }

beforeEach(async () => {
  await wipe(database.db)
  clock.set('2026-01-31T10:00:00Z')
})

const deps = () => ({ ...SIGN_IN, db: database.db, clock, realClock: clock })
const challengeFor = (wallet: TestWallet, subject: ChallengeSubject = { purpose: 'login' }) =>
  createChallenge(deps(), { address: wallet.address, ip: client.ip, subject })
const sessions = async () =>
  (await database.db.selectFrom('auth_session').select('id').execute()).length

test('a registered wallet gets a session by signing its challenge', async () => {
  const user = await givenUser(deps())
  const challenge = await challengeFor(user.wallet)
  const signature = await user.wallet.signText(challenge.message)
  const session = await logIn(deps(), {
    address: user.address,
    nonce: challenge.nonce,
    signature,
    client,
  })
  expect(await authenticate(deps(), session.token)).toMatchObject({ id: user.id, role: 'user' })
})

test('[T001] an address alone opens no session', async () => {
  const user = await givenUser(deps())
  const challenge = await challengeFor(user.wallet)
  const before = await sessions()
  for (const proof of [{}, { nonce: challenge.nonce }, { nonce: '', signature: '' }]) {
    expect(await codeOf(logIn(deps(), { address: user.address, client, ...proof }))).toBe(
      'SIGNATURE_REQUIRED',
    )
  }
  expect(await sessions()).toBe(before)
})

test('[T002] of sixteen concurrent uses of one challenge, one gets a session', async () => {
  const user = await givenUser(deps())
  for (let round = 0; round < 10; round += 1) {
    const before = await sessions()
    const { message, nonce } = await challengeFor(user.wallet)
    const signature = await user.wallet.signText(message)
    const answers = await Promise.all(
      Array.from({ length: 16 }, () =>
        codeOf(logIn(deps(), { address: user.address, nonce, signature, client })),
      ),
    )
    expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'CHALLENGE_USED')).toHaveLength(15)
    expect(await sessions()).toBe(before + 1)
  }
})

test('[T003] a challenge is valid for five minutes, and setting the clock back does not make a used one valid again', async () => {
  const user = await givenUser(deps())
  const attempt = async (challenge: { message: string; nonce: string }) => {
    const signature = await user.wallet.signText(challenge.message)
    return codeOf(
      logIn(deps(), { address: user.address, nonce: challenge.nonce, signature, client }),
    )
  }
  const late = await challengeFor(user.wallet)
  clock.advanceMs(5 * 60_000)
  expect(await attempt(late)).toBe('CHALLENGE_EXPIRED')
  const inTime = await challengeFor(user.wallet)
  clock.advanceMs(5 * 60_000 - 1)
  expect(await attempt(inTime)).toBe('accepted')
  clock.advanceMs(-86_400_000)
  expect(await attempt(inTime)).toBe('CHALLENGE_USED')
})

test('[T004] a signature over another site, chain, purpose, account or nonce is refused', async () => {
  const [user, other] = [await givenUser(deps()), await givenUser(deps())]
  const challenge = await challengeFor(user.wallet)
  const expiresAt = challenge.expiresAt
  const facts = {
    purpose: 'login' as const,
    address: user.address as Uint8Array,
    payload: {},
    nonce: challenge.nonce,
    issuedAt: clock.now(),
    expiresAt,
  }
  expect(challengeText(site, facts)).toBe(challenge.message)
  const texts = [
    challengeText({ ...site, origin: 'https://evil.example' }, facts),
    challengeText({ ...site, origin: 'http://earn.example.org' }, facts),
    challengeText({ ...site, tronChainId: 2 }, facts),
    challengeText({ ...site, brand: 'Other' }, facts),
    challengeText(site, { ...facts, purpose: 'step_up' }),
    challengeText(site, { ...facts, address: other.address }),
    challengeText(site, { ...facts, nonce: `${facts.nonce}0` }),
    challengeText(site, { ...facts, expiresAt: new Date(expiresAt.getTime() + 1) }),
    `${challenge.message} `,
  ]
  const use = (signature: string, address: Buffer) =>
    codeOf(logIn(deps(), { address, nonce: challenge.nonce, signature, client }))
  for (const text of texts) {
    expect(await use(await user.wallet.signText(text), user.address)).toBe('BAD_SIGNATURE')
  }
  const right = await user.wallet.signText(challenge.message)
  expect(await use(await other.wallet.signText(challenge.message), user.address)).toBe(
    'BAD_SIGNATURE',
  )
  expect(await use(right, other.address)).toBe('BAD_SIGNATURE')
  expect(await use(right, user.address)).toBe('accepted')
})

test('[T004] a challenge is valid for its own purpose only', async () => {
  const user = await givenUser(deps())
  const { message, nonce } = await challengeFor(user.wallet, { purpose: 'step_up' })
  const signature = await user.wallet.signText(message)
  expect(await codeOf(logIn(deps(), { address: user.address, nonce, signature, client }))).toBe(
    'BAD_SIGNATURE',
  )
})

test('only a valid signature reveals that a wallet is not registered', async () => {
  const stranger = createWallet()
  const { message, nonce } = await challengeFor(stranger)
  const signature = await stranger.signText(message)
  expect(await codeOf(logIn(deps(), { address: stranger.address, nonce, signature, client }))).toBe(
    'NOT_REGISTERED',
  )
})

test('a referral claim gets the signed terms exactly once', async () => {
  const user = await givenUser(deps())
  const { message, nonce } = await challengeFor(user.wallet, {
    purpose: 'referral_claim',
    userId: user.id,
    type: 'direct bonus',
    usdtAddress: `0x${'ab'.repeat(20)}`,
  })
  expect(message).toContain('1.500000 USDT')
  const signature = await user.wallet.signText(message)
  const prove = () =>
    database.db
      .transaction()
      .execute((tx) => proveReferralClaim(deps(), tx, { address: user.address, nonce, signature }))
  expect(await prove()).toMatchObject({ terms: { amount_usdt: '1.500000', through_id: '7' } })
  expect(await codeOf(prove())).toBe('CHALLENGE_USED')
})

test('[T013] a flood of challenges drops only the caller’s own oldest ones', async () => {
  const user = await givenUser(deps())
  const honest = await createChallenge(deps(), {
    address: user.address,
    ip: '198.51.100.7',
    subject: { purpose: 'login' },
  })
  for (let flood = 0; flood < 30; flood += 1) {
    clock.advanceMs(1)
    await challengeFor(user.wallet)
  }
  const live = await database.db.selectFrom('auth_challenge').select('nonce').execute()
  expect(live).toHaveLength(6)
  const signature = await user.wallet.signText(honest.message)
  expect(
    await codeOf(logIn(deps(), { address: user.address, nonce: honest.nonce, signature, client })),
  ).toBe('accepted')
})

test('[T013] expired rows are removed', async () => {
  const user = await givenUser(deps())
  await challengeFor(user.wallet)
  clock.advanceMs(31 * 86_400_000)
  const later = clock.now()
  for (let asked = 0; asked < 200; asked += 1) await challengeFor(user.wallet)
  const leftOf = (table: 'auth_challenge' | 'auth_session' | 'request_count', end: string) =>
    sql<{ old: bigint }>`select count(*) as old from ${sql.table(table)}
      where ${sql.ref(end)} < ${later}`.execute(database.db)
  expect((await leftOf('auth_challenge', 'expires_at')).rows).toEqual([{ old: 0n }])
  expect((await leftOf('auth_session', 'expires_at')).rows).toEqual([{ old: 0n }])
  expect((await leftOf('request_count', 'window_start')).rows).toEqual([{ old: 0n }])
})

test('[T013] too many calls for one address from one network are refused; calls from another network are not', async () => {
  const user = await givenUser(deps())
  const limited = { ...deps(), challengesPerMinute: 3 }
  const ask = (ip: string) =>
    codeOf(createChallenge(limited, { address: user.address, ip, subject: { purpose: 'login' } }))
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('192.0.2.9')))
  expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(3)
  expect(await ask('192.0.2.9')).toBe('TOO_MANY_REQUESTS')
  expect(await ask('192.0.2.10')).toBe('accepted')
  clock.advanceMs(60_000)
  expect(await ask('192.0.2.9')).toBe('accepted')
})
