import { REFERRALS_ERRORS } from '@dct/api-contract/errors/referrals'
import { formatAmount, parseAmount } from '@dct/money'
import { formatEvmAddress } from '@dct/rules/addresses'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inTransaction, isViolationOf } from '../../../platform/database/db.ts'
import { someoneWaits, useTestDatabase, wipe } from '../../../testing/database.ts'
import {
  BSC_ADDRESS,
  createReferralApp,
  OWN_ADDRESSES,
  VAULT,
} from '../../../testing/referral-app.ts'
import { payFee, setRate } from '../../../testing/referrals.ts'
import { useWorld } from '../../../testing/use-world.ts'
import type { TestUser } from '../../../testing/users.ts'
import { account, balanceOf } from '../../ledger/index.ts'
import { moveClaimed } from '../rewards/rewards.queries.ts'

const database = useTestDatabase(24)
const world = useWorld(() => createReferralApp(database.db))
beforeEach(async () => {
  await wipe(database.db)
  world.clock.set('2026-01-31T10:00:00Z')
})

/** A referrer with a percentage, and a referral whose fee of 10 pays 1.0 direct and 0.5 indirect. */
async function givenPair(): Promise<{ top: TestUser; payer: TestUser }> {
  const top = await world.given()
  const payer = await world.given({ referrerId: top.id })
  await setRate(world.people, { userId: top.id, bps: 500 })
  return { top, payer }
}
const pay = (payer: TestUser, usdt = '10') => payFee(world.people, { payerId: payer.id, usdt })
const summaryOf = async (user: TestUser) => {
  const { body } = await world.call('GET', '/user/referral-summary', { by: user })
  return body.referral_summary
}
const claims = () => database.db.selectFrom('referral_claim').selectAll().orderBy('id').execute()
const held = async (code: Parameters<typeof balanceOf>[1]['account']) =>
  formatAmount('USDT', await balanceOf(database.db, { asset: 'USDT', account: code }))

/** Expects that every claim is the sum of its rewards and that no reward is in two claims. */
async function expectClaimsToBeSums(): Promise<void> {
  const { rows } = await sql<{ id: bigint; amount: bigint; own: bigint; absorbed: bigint }>`
    select c.id, c.amount,
      (select coalesce(sum(r.amount), 0) from referral_reward r where r.receiver_id = c.user_id
        and r.kind = c.kind and r.row_number > c.from_row and r.row_number <= c.through_row) as own,
      (select coalesce(sum(a.amount), 0) from referral_claim a where a.absorbed_by = c.id) as absorbed
    from referral_claim c`.execute(database.db)
  for (const row of rows) expect([row.id, row.own + row.absorbed]).toEqual([row.id, row.amount])
  const overlaps = await sql`
    select from referral_claim a join referral_claim b on a.id < b.id and a.user_id = b.user_id
      and a.kind = b.kind and a.from_row < b.through_row and b.from_row < a.through_row`.execute(
    database.db,
  )
  expect(overlaps.rows).toEqual([])
}

test('a claim moves all rewards of its type into one entry', async () => {
  const { top, payer } = await givenPair()
  await pay(payer)
  await pay(payer, '5.5')
  const saved = await world.claim(top)
  expect(saved).toMatchObject({ status: 200, body: { total_accumulated: '1.550000' } })
  expect(await summaryOf(top)).toMatchObject({
    total_direct_reward: '1.550000',
    total_direct_claimed: '1.550000',
    total_direct_unclaimed: '0.000000',
    total_indirect_unclaimed: '0.775000',
    waiting_direct: '1.550000',
    waiting_indirect: '0.000000',
  })
  const [claim] = await claims()
  expect(claim).toMatchObject({ state: 'requested', from_row: 0n, through_row: 2n })
  expect(await held(account.referralDirect(top.id))).toBe('0.000000')
  expect(await held(account.referralClaim(claim?.id ?? 0n))).toBe('1.550000')
  await expectClaimsToBeSums()
})

test('the text to sign contains amount, type and address', async () => {
  const { top, payer } = await givenPair()
  await pay(payer)
  const { body } = await world.challenge(top, { type: 'non-direct' })
  const address = formatEvmAddress(Buffer.from(BSC_ADDRESS.slice(2), 'hex'))
  expect(body.message).toContain(
    'Claim 0.500000 USDT of my referral reward (non-direct), 0.500000 USDT with all earlier claims, ' +
      `to the BSC (BEP20) address ${address}, from the vault ${VAULT.address} on chain ${VAULT.chainId}.`,
  )
})

test('[T087] rewards that arrive after the challenge wait for the next claim', async () => {
  const { top, payer } = await givenPair()
  await pay(payer)
  const asked = await world.challenge(top)
  await pay(payer, '20')
  const saved = await world.save(top, {}, asked)
  expect(saved.body).toMatchObject({ total_accumulated: '1.000000' })
  expect(await summaryOf(top)).toMatchObject({ total_direct_unclaimed: '2.000000' })
  await expectClaimsToBeSums()
})

test('[T087] of 16 concurrent claims of one type, one is created, while rewards keep arriving', async () => {
  const { top, payer } = await givenPair()
  const admin = await world.given({ role: 'admin' })
  for (let round = 0; round < 6; round += 1) {
    await pay(payer)
    const asked = await Promise.all(Array.from({ length: 5 }, () => world.challenge(top)))
    const sent = Array.from({ length: 16 }, (_, at) => asked[at % 5] ?? { status: 0, body: {} })
    const [saves] = await Promise.all([
      Promise.all(sent.map((one) => world.save(top, {}, one))),
      ...Array.from({ length: 4 }, () => pay(payer, '1')),
    ])
    const saved = saves.filter(({ status }) => status === 200)
    expect(saved).toHaveLength(1)
    await expectClaimsToBeSums()
    await world.decline(admin, { id: saved[0]?.body.id, reason: 'Once more' })
  }
  expect(await summaryOf(top)).toMatchObject({ total_direct_unclaimed: '8.400000' })
})

test('[T087] one signed text creates one claim, however often it is sent concurrently', async () => {
  const { top, payer } = await givenPair()
  await pay(payer)
  const asked = await world.challenge(top)
  const saves = await Promise.all(Array.from({ length: 16 }, () => world.save(top, {}, asked)))
  expect(saves.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await claims()).toHaveLength(1)
})

test('[T087] a claim with nothing to claim is refused with the reason', async () => {
  const { top, payer } = await givenPair()
  expect(await world.claim(top)).toMatchObject({
    status: 422,
    body: { code: 'NOTHING_TO_CLAIM_REFERRAL' },
  })
  await pay(payer)
  await world.claim(top)
  await pay(payer)
  expect(await world.claim(top)).toMatchObject({
    status: 409,
    body: { code: 'REFERRAL_CLAIM_PENDING' },
  })
  expect(await world.claim(top, { type: 'non-direct bonus' })).toMatchObject({ status: 200 })
})

test('a claim whose rewards have been taken by another claim is refused', async () => {
  const { top, payer } = await givenPair()
  await pay(payer)
  const admin = await world.given({ role: 'admin' })
  const [first, second] = [await world.challenge(top), await world.challenge(top)]
  const saved = await world.save(top, {}, first)
  await world.approve(admin, saved.body.id)
  expect(await world.save(top, {}, second)).toMatchObject({
    status: 409,
    body: { code: 'REFERRAL_CLAIM_CHANGED' },
  })
})

test('[T087] a claim waits for a concurrent one that takes the same rewards, and then takes none of them', async () => {
  const { top, payer } = await givenPair()
  await pay(payer)
  const asked = await world.challenge(top)
  // If the claim did not wait, the constraint on the balance would refuse the reward instead.
  await pay(payer)
  const { saving } = await inTransaction(database.db, async (tx) => {
    const owner = { userId: top.id, kind: 'direct' as const }
    await moveClaimed(tx, { ...owner, by: parseAmount('USDT', '1'), claimedRows: 1n })
    const saving = world.save(top, {}, asked)
    await Promise.race([saving, someoneWaits(database.db)])
    return { saving }
  })
  expect(await saving).toMatchObject({ status: 409, body: { code: 'REFERRAL_CLAIM_CHANGED' } })
  expect(await claims()).toEqual([])
})

test('[T007] a session without a signature of its wallet cannot claim', async () => {
  const { top, payer } = await givenPair()
  await pay(payer)
  const thief = await world.given()
  const url = '/user/save-referral-claim-pool'
  const wish = { usdt_address: BSC_ADDRESS, type: 'direct bonus' }
  const asked = await world.challenge(top)
  const { nonce, message = '' } = asked.body
  const forged = await thief.wallet.signText(message)
  const attempts = [
    wish,
    { ...wish, nonce },
    { ...wish, nonce, signature: forged },
    { ...wish, nonce: 'unknown', signature: forged },
    {
      ...wish,
      usdt_address: `0x${'cd'.repeat(20)}`,
      nonce,
      signature: await top.wallet.signText(message),
    },
    { ...wish, type: 'non-direct', nonce, signature: await top.wallet.signText(message) },
  ]
  for (const payload of attempts) {
    expect((await world.call('POST', url, { by: top, payload })).status).toBe(401)
  }
  const stolen = { ...wish, nonce, signature: await top.wallet.signText(message) }
  expect((await world.call('POST', url, { by: thief, payload: stolen })).status).toBe(401)
  expect(await claims()).toEqual([])
  expect((await world.call('POST', url, { by: top, payload: stolen })).status).toBe(200)
})

const checksummed = formatEvmAddress(Buffer.from('5aaeb6053f3e94c9b9a09f33669435e7ef1beaed', 'hex'))
test.each([
  ['39 digits', `0x${'a'.repeat(39)}`, 'USDT_ADDRESS_INVALID'],
  ['41 digits', `0x${'a'.repeat(41)}`, 'USDT_ADDRESS_INVALID'],
  ['no 0x', 'a'.repeat(40), 'USDT_ADDRESS_INVALID'],
  ['another letter', `0x${'g'.repeat(40)}`, 'USDT_ADDRESS_INVALID'],
  [
    'a wrong checksum',
    checksummed.replace(/[a-f]/, (letter) => letter.toUpperCase()),
    'USDT_ADDRESS_INVALID',
  ],
  ['a Tron address', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', 'USDT_ADDRESS_INVALID'],
  ['zero', `0x${'0'.repeat(40)}`, 'USDT_ADDRESS_NOT_YOURS'],
  ['the token', OWN_ADDRESSES[0] ?? '', 'USDT_ADDRESS_NOT_YOURS'],
  ['the fee receiver', OWN_ADDRESSES[1] ?? '', 'USDT_ADDRESS_NOT_YOURS'],
  ['the vault', OWN_ADDRESSES[2] ?? '', 'USDT_ADDRESS_NOT_YOURS'],
] as const)('[T074] %s is refused as receiving address', async (_what, usdt_address, code) => {
  const { top, payer } = await givenPair()
  await pay(payer)
  const refusal = {
    status: 422,
    body: { code, message: REFERRALS_ERRORS[code].message },
  }
  expect(await world.challenge(top, { usdt_address })).toMatchObject(refusal)
  const payload = { type: 'direct bonus', usdt_address }
  const url = '/user/save-referral-claim-pool'
  expect(await world.call('POST', url, { by: top, payload })).toMatchObject(refusal)
})

test('[T074] an address in lower case, upper case or with checksum is the same address', async () => {
  const { top, payer } = await givenPair()
  for (const usdt_address of [
    checksummed,
    checksummed.toLowerCase(),
    `0x${checksummed.slice(2).toUpperCase()}`,
  ]) {
    await pay(payer)
    const asked = await world.challenge(top, { usdt_address })
    expect(asked.body.message).toContain(checksummed)
  }
  const asked = await world.challenge(top, { usdt_address: checksummed.toLowerCase() })
  expect((await world.save(top, { usdt_address: checksummed }, asked)).status).toBe(200)
})

test.each([
  ['the address', sql`update referral_claim set usdt_address = '\\x${sql.raw('01'.repeat(20))}'`],
  ['the amount', sql`update referral_claim set amount = amount + 1`],
  ['the rewards', sql`update referral_claim set through_row = through_row + 1`],
  ['its existence', sql`delete from referral_claim`],
])('[T074, T085] %s of a claim can never be changed', async (_what, statement) => {
  const { top, payer } = await givenPair()
  await pay(payer)
  await world.claim(top)
  await expect(statement.execute(database.db)).rejects.toSatisfy((error) =>
    isViolationOf(error, 'referral_fixed'),
  )
})

test.each([
  ['2025-04-04T16:59:59.999Z', 422],
  ['2025-04-04T17:00:00.000Z', 200],
  ['2025-04-04T17:00:00.001Z', 200],
])('[RCLAIM-19] [T088] a non-direct claim at %s gets status %i', async (instant, status) => {
  world.clock.set(instant)
  const { top, payer } = await givenPair()
  await pay(payer)
  const saved = await world.claim(top, { type: 'non-direct' })
  expect(saved.status).toBe(status)
  expect(await claims()).toHaveLength(status === 200 ? 1 : 0)
  if (status === 422) {
    expect(saved.body).toMatchObject({
      message: 'Claiming will be available starting April 5, 2025.',
      details: { day: '2025-04-05' },
    })
  }
  expect((await world.claim(top)).status).toBe(200)
})

test('[T088] a text signed before the opening is refused', async () => {
  const { top, payer } = await givenPair()
  await pay(payer)
  const asked = await world.challenge(top, { type: 'non-direct' })
  world.clock.set('2025-04-04T16:59:59.999Z')
  expect(await world.save(top, { type: 'non-direct' }, asked)).toMatchObject({
    status: 422,
    body: { code: 'NON_DIRECT_CLOSED' },
  })
})

test('an unknown type is refused', async () => {
  const { top, payer } = await givenPair()
  await pay(payer)
  expect(await world.claim(top, { type: 'both' })).toMatchObject({
    status: 400,
    body: { code: 'BONUS_TYPE_UNKNOWN' },
  })
})

test('rewards of a declined claim are in the next one, once', async () => {
  const { top, payer } = await givenPair()
  const admin = await world.given({ role: 'admin' })
  await pay(payer)
  const first = await world.claim(top)
  const { id } = first.body
  const payload = { id, reason: 'Please use another address' }
  expect((await world.decline(admin, payload)).status).toBe(200)
  expect(await summaryOf(top)).toMatchObject({
    total_direct_claimed: '0.000000',
    total_direct_unclaimed: '1.000000',
  })
  expect(await held(account.referralDirect(top.id))).toBe('1.000000')
  await pay(payer, '3')
  const second = await world.claim(top)
  expect(second.body).toMatchObject({ total_accumulated: '1.300000' })
  await expectClaimsToBeSums()
  const again = await world.decline(admin, payload)
  expect(again).toMatchObject({ status: 409, body: { code: 'REFERRAL_CLAIM_ENDED' } })
  await world.decline(admin, { id: second.body.id, reason: 'Again' })
  const third = await world.claim(top)
  expect(third.body).toMatchObject({ total_accumulated: '1.300000' })
  await expectClaimsToBeSums()
  expect(await held(account.referralDirect(top.id))).toBe('0.000000')
  const [, , last] = await claims()
  expect(last?.amount).toBe(parseAmount('USDT', '1.3'))
})
