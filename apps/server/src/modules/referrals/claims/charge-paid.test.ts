import type { Hex } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { createReferralApp, payClaim } from '../../../testing/referral-app.ts'
import { payFee } from '../../../testing/referrals.ts'
import { useWorld } from '../../../testing/use-world.ts'
import type { TestUser } from '../../../testing/users.ts'
import { bookPayment, chargeAdvance } from '../../payouts/book-payment.ts'
import { undoPayment } from '../../payouts/undo-payment.ts'
import { chargePaidReferral } from './charge-paid.ts'
import { onReferralPayoutFinal, onReferralPayoutUndone } from './on-payout-final.ts'
import { owedToReferrers } from './owed.queries.ts'

const USDT = 10n ** 18n
const RECEIVER: Hex = `0x${'ab'.repeat(20)}`

const database = useTestDatabase()
const world = useWorld(() => createReferralApp(database.db))
let admin: TestUser
let referrer: TestUser
let total = 0n
beforeEach(async () => {
  await wipe(database.db)
  Object.assign(world.wallet, { usdt: 1_000n * USDT, isKnown: true })
  admin = await world.given({ role: 'admin' })
  referrer = await world.given()
  total = 0n
})

/** Gives the referrer a tenth of a fee. */
async function earn(usdt: string) {
  const payer = await world.given({ referrerId: referrer.id })
  await payFee(world.people, { payerId: payer.id, usdt })
}

const holder = () => `0x${referrer.address.toString('hex')}` as const
const account = () => ({ chain: 'BSC', holder: holder(), name: 'direct' }) as const
const deps = () => ({
  clock: world.clock,
  onFinal: onReferralPayoutFinal,
  charge: (tx: Parameters<typeof chargePaidReferral>[0], { most }: { most: bigint }) =>
    chargePaidReferral(tx, { referrer: referrer.address, kind: 'direct', most }),
})

/** The vault pays the referrer without any claim in these books. */
async function givenPayment(amount: bigint) {
  total += amount
  await inTransaction(database.db, (tx) =>
    bookPayment(deps(), tx, {
      ...{ txHash: `0x${'cd'.repeat(32)}`, logIndex: Number(total / USDT), blockNumber: 9n },
      ...{ account: account(), from: `0x${'03'.repeat(20)}`, to: RECEIVER, amount, total },
      blockTime: world.clock.now(),
    }),
  )
}

/** The vault's payment of this total is gone from the chain. */
const undo = (logIndex: number) =>
  inTransaction(database.db, (tx) =>
    undoPayment({ clock: world.clock, onUndone: onReferralPayoutUndone }, tx, {
      ...{ txHash: `0x${'cd'.repeat(32)}`, logIndex, account: account() },
    }),
  )

const charge = () => inTransaction(database.db, (tx) => chargeAdvance(deps(), tx, account()))
const summary = async () =>
  (await world.call('GET', '/user/referral-rewards', { by: referrer })).body
const claims = async () => {
  const { body } = await world.call('GET', '/user/referral-claim-pool-history', { by: referrer })
  return body.referral_claim_pool as { state: string; total_accumulated: string }[]
}
const owed = () => owedToReferrers(database.db)

test('what the vault paid without a claim is charged to the rewards, and shown as a paid claim', async () => {
  await earn('50')
  const before = await owed()
  await givenPayment(3n * USDT)
  expect(await owed()).toBe(before - 3n * USDT)
  expect(await charge()).toBe(true)
  expect(await claims()).toMatchObject([{ state: 'paid', total_accumulated: '3.000000' }])
  expect(await owed()).toBe(before - 3n * USDT)
  expect(await charge()).toBe(false)
  // The next claim is for the rest only.
  const { body } = await world.claim(referrer)
  expect(body).toMatchObject({ total_accumulated: '2.000000' })
})

test('[T063] a claim whose payment is undone is approved again, and paid once more when the vault has paid it', async () => {
  await earn('50')
  const before = await owed()
  await givenPayment(3n * USDT)
  await charge()
  await undo(3)
  expect(await claims()).toMatchObject([{ state: 'approved', total_accumulated: '3.000000' }])
  expect(await owed()).toBe(before)
  total = 0n
  await givenPayment(3n * USDT)
  expect(await claims()).toMatchObject([{ state: 'paid', total_accumulated: '3.000000' }])
  expect(await owed()).toBe(before - 3n * USDT)
})

test('[T063] a claim that nobody signed can be returned once its payment is undone', async () => {
  await earn('50')
  await givenPayment(3n * USDT)
  await charge()
  await undo(3)
  const { id } = await database.db
    .selectFrom('referral_claim')
    .select('id')
    .executeTakeFirstOrThrow()
  const reply = await world.giveBack(admin, { id: `${id}`, reason: 'Paid with a stolen key' })
  expect(reply.status).toBe(200)
  const { body } = await world.claim(referrer)
  expect(body).toMatchObject({ total_accumulated: '5.000000' })
})

test('a payment beyond all rewards is charged as they are earned', async () => {
  await earn('10')
  await givenPayment(3n * USDT)
  expect(await charge()).toBe(true)
  expect(await charge()).toBe(false)
  await earn('50')
  expect(await charge()).toBe(true)
  expect((await claims()).map(({ total_accumulated }) => total_accumulated).toSorted()).toEqual([
    '1.000000',
    '2.000000',
  ])
  expect(await charge()).toBe(false)
})

test('a claim that awaits approval comes first: approved, it is paid by what the vault paid before', async () => {
  await earn('50')
  const { body } = await world.claim(referrer)
  await givenPayment(5n * USDT)
  expect(await charge()).toBe(false)
  expect((await world.approve(admin, body.id)).status).toBe(200)
  await charge()
  expect(await summary()).toMatchObject({})
  expect((await claims())[0]?.state).toBe('approved')
})

test('a claim is paid by the vault’s event, and another one of the same referrer after it', async () => {
  for (const usdt of ['20', '30']) {
    await earn(usdt)
    const { body } = await world.claim(referrer)
    expect((await world.approve(admin, body.id)).status).toBe(200)
    await payClaim({ db: database.db, clock: world.clock }, { id: body.id, blockNumber: 9n })
  }
  expect((await claims()).map(({ state }) => state)).toEqual(['paid', 'paid'])
  expect(await owed()).toBe(0n)
})
