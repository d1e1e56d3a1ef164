import { amount, formatAmount, parseAmount } from '@dct/money'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { isViolationOf } from '../../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { elementAt } from '../../../testing/element-at.ts'
import { createReferralApp, payClaim } from '../../../testing/referral-app.ts'
import { payFee } from '../../../testing/referrals.ts'
import { useWorld } from '../../../testing/use-world.ts'
import type { TestUser } from '../../../testing/users.ts'
import { setRole } from '../../auth/index.ts'
import { type Account, account, balanceOf } from '../../ledger/index.ts'

const database = useTestDatabase(24)
const world = useWorld(() => createReferralApp(database.db))
const usdt = (text: string) => parseAmount('USDT', text)
beforeEach(async () => {
  await wipe(database.db)
  Object.assign(world.wallet, { usdt: usdt('1000'), blockNumber: 100n, isKnown: true })
})

/** A user with a claim of the given amount that awaits approval. */
async function givenClaim(worth: string): Promise<{ id: string; holder: TestUser }> {
  const holder = await world.given()
  const payer = await world.given({ referrerId: holder.id })
  await payFee(world.people, { payerId: payer.id, usdt: `${Number(worth) * 10}` })
  const { status, body } = await world.claim(holder)
  expect(status, JSON.stringify(body)).toBe(200)
  return { id: body.id ?? '', holder }
}
const givenAdmin = () => world.given({ role: 'admin' })
const givenAdmins = (count: number) => Promise.all(Array.from({ length: count }, givenAdmin))
const claimOf = (id: string) =>
  database.db
    .selectFrom('referral_claim')
    .selectAll()
    .where('id', '=', BigInt(id))
    .executeTakeFirstOrThrow()
const payouts = () => database.db.selectFrom('payout').selectAll().orderBy('id').execute()
const held = async (code: Account) =>
  formatAmount('USDT', await balanceOf(database.db, { asset: 'USDT', account: code }))
const shownState = async (admin: TestUser, id: string) => {
  const { body } = await world.call('GET', '/admin/referral-claim-pool', { by: admin })
  return (body.claim_pool as { id: string; state: string }[]).find((one) => one.id === id)?.state
}
/** The total of payouts that the wallet has yet to pay. */
async function unpaid(): Promise<bigint> {
  const { rows } = await sql<{ amount: bigint }>`
    select coalesce(sum(amount), 0) as amount from payout
    where chain = 'BSC' and state in ('waiting', 'sent')`.execute(database.db)
  return rows[0]?.amount ?? 0n
}
async function expectCommitted(expected: string): Promise<void> {
  const row = await database.db
    .selectFrom('referral_treasury')
    .select('committed')
    .executeTakeFirst()
  expect(formatAmount('USDT', row?.committed ?? 0n)).toBe(expected)
  expect(formatAmount('USDT', await unpaid())).toBe(expected)
}

test('an approval creates a payout of exactly the claim to its address', async () => {
  const admin = await givenAdmin()
  const { id } = await givenClaim('12.5')
  const answer = await world.approve(admin, id)
  expect(answer).toMatchObject({ status: 200, body: { is_approved: true } })
  const claim = await claimOf(id)
  expect(claim).toMatchObject({ state: 'approved', approved_by: admin.id })
  expect(await payouts()).toMatchObject([
    {
      chain: 'BSC',
      asset: 'USDT',
      cause: `referral-claim:${id}`,
      to_address: Buffer.from('ab'.repeat(20), 'hex'),
      amount: usdt('12.5'),
      state: 'waiting',
    },
  ])
  expect(await held(account.referralClaim(id))).toBe('0.000000')
  expect(await held(account.payout(claim.payout_id ?? 0n))).toBe('12.500000')
  await expectCommitted('12.500000')
})

test('[STATE-18, STATE-19, STATE-20] a claim is pending, then approved with admin and time, and unpaid until it has its hash', async () => {
  const admin = await givenAdmin()
  const { id, holder } = await givenClaim('12.5')
  const pool = async () => {
    const { body } = await world.call('GET', '/admin/referral-claim-pool', { by: admin })
    const [claim] = body.claim_pool as Record<string, unknown>[]
    const { state, approve_at, approve_by, tx_hash_usdt } = claim ?? {}
    return { state, approve_at, approve_by, tx_hash_usdt, unpaid: body.approved_unpaid }
  }
  const pending = { approve_at: null, approve_by: null, tx_hash_usdt: null }
  expect(await pool()).toEqual({ state: 'requested', ...pending, unpaid: '0.000000' })
  await world.approve(admin, id)
  const approved = { approve_at: expect.any(String), approve_by: expect.any(String) }
  expect(await pool()).toEqual({
    ...{ state: 'approved', ...approved, tx_hash_usdt: null, unpaid: '12.500000' },
  })
  const hash = await payClaim(world.people, { id, blockNumber: 101n })
  await expectCommitted('0.000000')
  expect(await pool()).toEqual({
    ...{ state: 'paid', ...approved, tx_hash_usdt: hash, unpaid: '0.000000' },
  })
  const { body } = await world.call('GET', '/user/referral-claim-pool-history', { by: holder })
  expect(body.referral_claim_pool).toMatchObject([{ state: 'paid', tx_hash_usdt: hash }])
})

test('[T083] of 16 concurrent approvals by different admins, one counts', async () => {
  const admins = await givenAdmins(16)
  for (let round = 0; round < 4; round += 1) {
    const { id } = await givenClaim('1')
    const answers = await Promise.all(admins.map((admin) => world.approve(admin, id)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const winner = admins[answers.findIndex(({ status }) => status === 200)]
    for (const { status, body } of answers.filter((one) => one.status !== 200)) {
      expect(status).toBe(409)
      expect(body.message).toBe(
        `This claim has already been approved by ${winner?.wallet.tronAddress}.`,
      )
    }
    expect((await claimOf(id)).approved_by).toBe(winner?.id)
  }
  expect(await payouts()).toHaveLength(4)
})

test('[T083] a second approval, or one after a decline, is refused and pays nothing more', async () => {
  const [one, other] = [await givenAdmin(), await givenAdmin()]
  const { id } = await givenClaim('1')
  await world.approve(one, id)
  expect((await world.approve(one, id)).status).toBe(409)
  expect((await world.approve(other, id)).status).toBe(409)
  const declined = await givenClaim('2')
  await world.decline(one, { id: declined.id, reason: 'No' })
  expect(await world.approve(other, declined.id)).toMatchObject({
    status: 409,
    body: { code: 'REFERRAL_CLAIM_ENDED' },
  })
  expect(await payouts()).toHaveLength(1)
})

test('[T083] of a concurrent decline and approval, exactly one succeeds', async () => {
  const [one, other] = [await givenAdmin(), await givenAdmin()]
  for (let round = 0; round < 10; round += 1) {
    const { id } = await givenClaim('1')
    const answers = await Promise.all([
      world.approve(one, id),
      world.decline(other, { id, reason: 'No' }),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  }
})

test('[T084] 8 claims approved concurrently never exceed the wallet’s balance', async () => {
  const admins = await givenAdmins(8)
  for (let round = 0; round < 5; round += 1) {
    const claims: string[] = []
    for (let made = 0; made < 8; made += 1) claims.push((await givenClaim('40')).id)
    const before = await unpaid()
    world.wallet.usdt = amount('USDT', before + usdt('100'))
    const answers = await Promise.all(
      claims.map((id, index) => world.approve(elementAt(admins, index), id)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body).toMatchObject({
        code: 'ADMIN_BALANCE_TOO_LOW',
        message: '❌ Gagal: Saldo USDT admin tidak mencukupi untuk klaim ini',
      })
    }
    expect(await unpaid()).toBe(before + usdt('80'))
  }
})

test('[T084] a balance equal to the claim is enough, one unit less is not', async () => {
  const admin = await givenAdmin()
  const { id } = await givenClaim('40')
  world.wallet.usdt = amount('USDT', usdt('40') - 1n)
  expect((await world.approve(admin, id)).status).toBe(409)
  expect((await claimOf(id)).state).toBe('requested')
  world.wallet.usdt = usdt('40')
  expect((await world.approve(admin, id)).status).toBe(200)
})

test('[T084] an unknown balance is an outage, not a balance of 0', async () => {
  const admin = await givenAdmin()
  const { id } = await givenClaim('1')
  world.wallet.isKnown = false
  expect(await world.approve(admin, id)).toMatchObject({
    status: 503,
    body: { code: 'UNAVAILABLE' },
  })
  expect(await payouts()).toEqual([])
  world.wallet.isKnown = true
  expect((await world.approve(admin, id)).status).toBe(200)
})

test('[T084] payments made after the balance was read still count against it', async () => {
  const admin = await givenAdmin()
  world.wallet.usdt = usdt('100')
  const first = await givenClaim('80')
  const second = await givenClaim('90')
  await world.approve(admin, first.id)
  await payClaim(world.people, { id: first.id, blockNumber: 101n })
  // The node lags: it still reports the balance of 100 as of block 100, of which 80 have been spent.
  expect((await world.approve(admin, second.id)).status).toBe(409)
  Object.assign(world.wallet, { usdt: usdt('20'), blockNumber: 101n })
  expect((await world.approve(admin, second.id)).status).toBe(409)
  const third = await givenClaim('20')
  // The balance already reflects a payment in the block at which it was read, so that payment counts only once.
  expect((await world.approve(admin, third.id)).status).toBe(200)
  Object.assign(world.wallet, { usdt: usdt('110'), blockNumber: 102n })
  expect((await world.approve(admin, second.id)).status).toBe(200)
})

test('[T089] no admin can approve their own claim, not even in SQL', async () => {
  const { id, holder } = await givenClaim('1')
  await database.db
    .updateTable('app_user')
    .set({ role: 'admin' })
    .where('id', '=', holder.id)
    .execute()
  await database.db.updateTable('auth_session').set({ role: 'admin' }).execute()
  expect(await world.approve(holder, id)).toMatchObject({
    status: 403,
    body: { code: 'OWN_REFERRAL_CLAIM' },
  })
  await expect(approveInSql(id, holder.id)).rejects.toSatisfy((error) =>
    isViolationOf(error, 'referral_claim_not_own'),
  )
})

test('[T089] above the threshold two different admins must approve', async () => {
  const [one, other] = [await givenAdmin(), await givenAdmin()]
  const small = await givenClaim('500')
  expect((await world.approve(one, small.id)).body.is_approved).toBe(true)
  const { id } = await givenClaim('500.1')
  world.wallet.usdt = usdt('2000')
  expect(await world.approve(one, id)).toMatchObject({
    status: 202,
    body: {
      is_approved: false,
      message: expect.stringContaining('needs the approval of a second admin'),
    },
  })
  expect(await shownState(one, id)).toBe('requested')
  expect(await world.approve(one, id)).toMatchObject({
    status: 409,
    body: { code: 'SECOND_ADMIN_NEEDED' },
  })
  await expect(approveInSql(id, one.id)).rejects.toSatisfy((error) =>
    isViolationOf(error, 'referral_claim_two_admins'),
  )
  expect(await world.approve(other, id)).toMatchObject({
    status: 200,
    body: { is_approved: true },
  })
  expect(await claimOf(id)).toMatchObject({
    first_approved_by: one.id,
    approved_by: other.id,
    needs_two: true,
  })
})

test('a sole admin can approve a claim above the threshold, even one half approved by a former admin', async () => {
  const [admin, former] = (await givenAdmins(2)) as [TestUser, TestUser]
  const [large, half] = [await givenClaim('500.1'), await givenClaim('400')]
  await database.db
    .insertInto('proposal')
    .values({
      ...{ kind: 'referral_claim', subject: BigInt(half.id), value: usdt('400') },
      ...{ proposed_by: admin.id, at: world.clock.now() },
    })
    .execute()
  expect(await world.approve(admin, half.id)).toMatchObject({ status: 409 })
  await setRole(world.people, { address: former.wallet.tronAddress, role: 'user' })
  for (const { id } of [large, half]) {
    expect(await world.approve(admin, id)).toMatchObject({
      status: 200,
      body: { is_approved: true },
    })
    expect(await claimOf(id)).toMatchObject({ state: 'approved', needs_two: false })
  }
})

test('[T089] of 16 approvals above the threshold two count, by different admins', async () => {
  const admins = await givenAdmins(16)
  const { id } = await givenClaim('600')
  const answers = await Promise.all(admins.map((admin) => world.approve(admin, id)))
  const counted = answers.filter(({ status }) => status < 300)
  expect(counted.map(({ body }) => body.is_approved).sort()).toEqual([false, true])
  expect(await payouts()).toHaveLength(1)
})

/** Approves a claim directly in the database, as a bug might. */
function approveInSql(id: string, adminId: bigint) {
  return sql`
    with owed as (
      insert into payout_account (chain, holder, name, open)
      values ('BSC', decode(repeat('ab', 20), 'hex'), 'direct', 1) returning id),
    made as (
      insert into payout (account_id, chain, asset, cause, to_address, amount, created_at)
      select id, 'BSC', 'USDT', 'fault', decode(repeat('ab', 20), 'hex'), 1, now() from owed
      returning id)
    update referral_claim set state = 'approved', approved_by = ${adminId}, approved_at = now(),
      payout_id = (select id from made) where id = ${BigInt(id)}`.execute(database.db)
}

test('[T085] a claim makes only the allowed state transitions', async () => {
  const admin = await givenAdmin()
  const { id } = await givenClaim('1')
  await world.decline(admin, { id, reason: 'No' })
  const back = sql`
    update referral_claim set state = 'requested', ended_by = null, ended_at = null, end_reason = null`
  await expect(back.execute(database.db)).rejects.toSatisfy((error) =>
    isViolationOf(error, 'referral_claim_moves'),
  )
})

test('an approved claim that cannot be paid is returned once no signed transaction can take effect', async () => {
  const admin = await givenAdmin()
  const { id, holder } = await givenClaim('12.5')
  const reason = 'The address refuses USDT'
  expect(await world.giveBack(admin, { id, reason })).toMatchObject({
    status: 409,
    body: { code: 'REFERRAL_CLAIM_NOT_APPROVED' },
  })
  await world.approve(admin, id)
  await sql`update payout set state = 'sent'`.execute(database.db)
  expect(await shownState(admin, id)).toBe('sending')
  expect(await world.giveBack(admin, { id, reason })).toMatchObject({
    status: 409,
    body: { code: 'PAYOUT_SIGNED' },
  })
  await sql`update payout set state = 'waiting', wait_reason = 'REVERTED'`.execute(database.db)
  expect(await shownState(admin, id)).toBe('failed')
  expect((await world.giveBack(admin, { id, reason })).status).toBe(200)
  expect(await shownState(admin, id)).toBe('returned')
  await expectCommitted('0.000000')
  expect(await held(account.referralDirect(holder.id))).toBe('12.500000')
  expect(await world.claim(holder)).toMatchObject({
    status: 200,
    body: { total_accumulated: '12.500000' },
  })
})

test('of a concurrent return and payment, the first decides about the claim', async () => {
  const admin = await givenAdmin()
  for (let round = 0; round < 10; round += 1) {
    const { id } = await givenClaim('1')
    await world.approve(admin, id)
    const [returned, paid] = await Promise.allSettled([
      world.giveBack(admin, { id, reason: 'No' }),
      payClaim(world.people, { id, blockNumber: 101n }),
    ])
    const isReturned = returned.status === 'fulfilled' && returned.value.status === 200
    // A payment of a returned claim is booked, too, and charged like every advance.
    expect(paid.status).toBe('fulfilled')
    expect((await claimOf(id)).state).toBe(isReturned ? 'returned' : 'paid')
  }
  await expectCommitted('0.000000')
})

test('an unknown claim is not found', async () => {
  const admin = await givenAdmin()
  const expected = { status: 404, body: { message: 'Claim not found' } }
  expect(await world.approve(admin, '999')).toMatchObject(expected)
  expect(await world.decline(admin, { id: '999', reason: 'No' })).toMatchObject(expected)
  expect(await world.giveBack(admin, { id: '999', reason: 'No' })).toMatchObject(expected)
})

test('the admins’ actions are logged', async () => {
  const admin = await givenAdmin()
  const first = await givenClaim('1')
  const second = await givenClaim('2')
  await world.approve(admin, first.id)
  await world.decline(admin, { id: second.id, reason: 'Wrong address' })
  const log = await database.db.selectFrom('admin_log').selectAll().orderBy('id').execute()
  expect(log).toMatchObject([
    {
      admin_id: admin.id,
      action: 'referral_claim.approve',
      subject: first.id,
      after: { amount_usdt: '1.000000' },
    },
    {
      action: 'referral_claim.decline',
      subject: second.id,
      after: { amount_usdt: '2.000000', reason: 'Wrong address' },
    },
  ])
})
