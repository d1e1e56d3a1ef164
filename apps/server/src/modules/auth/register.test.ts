import { beforeEach, expect, test } from 'vitest'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { codeOf, SIGN_IN } from '../../testing/sign-in.ts'
import { givenUser } from '../../testing/users.ts'
import { createWallet, type TestWallet } from '../../testing/wallet.ts'
import { createChallenge } from './create-challenge.ts'
import { type RegisterInput, register } from './register.ts'

const database = useTestDatabase(24)
const clock = new ManualClock('2026-01-31T10:00:00Z')

beforeEach(() => wipe(database.db))

const deps = () => ({ ...SIGN_IN, db: database.db, clock, realClock: clock })
type Applicant = { email: string; referrerCode: string | null }
const nobody: Applicant = { email: 'a@example.org', referrerCode: null }

async function prepare(wallet: TestWallet, applicant: Applicant = nobody): Promise<RegisterInput> {
  const { message, nonce } = await createChallenge(deps(), {
    address: wallet.address,
    ip: '192.0.2.1',
    subject: { purpose: 'register', applicant },
  })
  const signature = await wallet.signText(message)
  const proof = { nonce, signature }
  return {
    address: wallet.address,
    ...applicant,
    hasAcceptedTerms: true,
    termsLanguage: 'id',
    ip: '192.0.2.1',
    ...proof,
  }
}
const users = () => database.db.selectFrom('app_user').selectAll().orderBy('id').execute()

test('[REG-06] a registration without a referral code succeeds', async () => {
  const wallet = createWallet()
  const registered = await register(deps(), await prepare(wallet))
  expect(registered.referralCode).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
  expect(registered.referrerAddress).toBeUndefined()
  expect(await users()).toMatchObject([
    {
      address: wallet.address,
      email: 'a@example.org',
      role: 'user',
      referrer_id: null,
      depth: 0,
    },
  ])
})

test('the owner of a referral code becomes the referrer; the code may be typed in lower case', async () => {
  const referrer = await givenUser(deps())
  const applicant = { ...nobody, referrerCode: ` ${referrer.referralCode.toLowerCase()} ` }
  const registered = await register(deps(), await prepare(createWallet(), applicant))
  expect(registered.referrerAddress).toEqual(referrer.address)
  expect((await users())[1]).toMatchObject({ referrer_id: referrer.id, depth: 1 })
})

test('[T015] a registration requires a signature over address, e-mail and code', async () => {
  const referrer = await givenUser(deps())
  const [wallet, thief] = [createWallet(), createWallet()]
  const input = await prepare(wallet)
  const changed: RegisterInput[] = [
    { ...input, signature: undefined },
    { ...input, nonce: undefined },
    { ...input, email: 'b@example.org' },
    { ...input, referrerCode: referrer.referralCode },
    { ...input, address: thief.address },
    { ...input, signature: await thief.signText('anything') },
  ]
  const codes = await Promise.all(changed.map((body) => codeOf(register(deps(), body))))
  expect(new Set(codes)).toEqual(new Set(['SIGNATURE_REQUIRED', 'BAD_SIGNATURE']))
  expect(await users()).toHaveLength(1)
})

test('[T016] of sixteen concurrent registrations of one address, one succeeds', async () => {
  for (let round = 0; round < 5; round += 1) {
    const before = (await users()).length
    const wallet = createWallet()
    const inputs = [await prepare(wallet), await prepare(wallet), await prepare(wallet)]
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, each) =>
        codeOf(register(deps(), inputs[each % 3] as RegisterInput)),
      ),
    )
    expect(answers.filter((answer) => answer === 'accepted')).toHaveLength(1)
    expect(answers).toContain('ALREADY_REGISTERED')
    const refused = answers.filter((answer) => answer !== 'accepted')
    expect(['ALREADY_REGISTERED', 'CHALLENGE_USED']).toEqual(expect.arrayContaining(refused))
    expect(await users()).toHaveLength(before + 1)
  }
})

test('several wallets may use one e-mail address', async () => {
  await register(deps(), await prepare(createWallet()))
  await register(deps(), await prepare(createWallet()))
  expect(await users()).toHaveLength(2)
})

test('[T018] the referrer is immutable, and even SQL cannot create a cycle', async () => {
  const first = await givenUser(deps())
  const second = await givenUser(deps(), { referrerId: first.id })
  const set = (id: bigint, change: { referrer_id?: bigint | null; address?: Buffer }) =>
    database.db.updateTable('app_user').set(change).where('id', '=', id).execute()
  await expect(set(first.id, { referrer_id: second.id })).rejects.toMatchObject({ code: '23514' })
  await expect(set(second.id, { referrer_id: null })).rejects.toMatchObject({ code: '23514' })
  await expect(set(second.id, { address: first.address })).rejects.toMatchObject({ code: '23514' })
  const row = {
    address: createWallet().address,
    referral_code: 'ABCDEFGH',
    referrer_id: second.id + 10n,
    created_at: clock.now(),
    ...{ email: null, deleted_at: null },
  }
  await expect(database.db.insertInto('app_user').values(row).execute()).rejects.toMatchObject({
    code: expect.stringMatching(/^23/),
  })
})

test.each(['<script>alert(1)</script>', "' OR 1=1", 'ABC', 'ZZZZZZZZ', 'ABCD2345'])(
  '[T019] the refusal of an unknown referral code names it: %s',
  async (referrerCode) => {
    expect(await codeOf(prepare(createWallet(), { ...nobody, referrerCode }))).toBe(
      'REFERRER_NOT_FOUND',
    )
    const input = await prepare(createWallet())
    expect(await codeOf(register(deps(), { ...input, referrerCode }))).not.toBe('accepted')
    expect(await users()).toHaveLength(0)
  },
)

test('a refusal names the problem: e-mail missing or malformed, terms not accepted', async () => {
  const input = await prepare(createWallet())
  expect(await codeOf(register(deps(), { ...input, email: ' ' }))).toBe('EMAIL_REQUIRED')
  expect(await codeOf(register(deps(), { ...input, email: 'a@b' }))).toBe('EMAIL_INVALID')
  expect(await codeOf(register(deps(), { ...input, email: 'a@b.co, c@d.co' }))).toBe(
    'EMAIL_SEVERAL',
  )
  expect(await codeOf(register(deps(), { ...input, hasAcceptedTerms: false }))).toBe(
    'TERMS_NOT_ACCEPTED',
  )
  expect(await codeOf(register(deps(), input))).toBe('accepted')
})

test('a registered address is refused before it signs', async () => {
  const user = await givenUser(deps())
  expect(await codeOf(prepare(user.wallet))).toBe('ALREADY_REGISTERED')
})

test('the registration hooks of other modules commit or roll back with it', async () => {
  const failing = { ...deps(), onRegistered: async () => Promise.reject(new Error('no')) }
  await expect(register(failing, await prepare(createWallet()))).rejects.toThrow('no')
  expect(await users()).toHaveLength(0)
})
