import { parseAmount } from '@dct/money'
import { beforeEach, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import {
  claim,
  claimRows,
  createClaimsWorld,
  givenHolder,
  givenMarket,
  payOut,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { dct } from '../../testing/plans.ts'
import { createReferralApp, payClaim } from '../../testing/referral-app.ts'
import { payFee } from '../../testing/referrals.ts'
import { givenUsdtPayout, senderWorld } from '../../testing/senders.ts'
import { passDays } from '../../testing/stakes.ts'
import { useWorld } from '../../testing/use-world.ts'
import { givenUser } from '../../testing/users.ts'
import { account, postTransfers } from '../ledger/index.ts'
import { dctOwed, moneyPosition, totalOf, usdtOwed } from './money-position.queries.ts'

const clock = new ManualClock('2026-01-10T03:00:00Z')
const usdt = (text: string) => parseAmount('USDT', text)
const database = useTestDatabase()
const world = useWorld(() => createClaimsWorld(database.db, clock))

beforeEach(async () => {
  await wipe(database.db)
  clock.set('2026-01-10T03:00:00Z')
  await givenMarket(world)
})

const position = () => moneyPosition(database.db)
const only = async () => (await position()).plans[0]

test('a plan’s debts are listed by stage and, together with its free funds, add up to the pool', async () => {
  const holder = await givenHolder(world, { amount: dct('50'), days: 10 })
  const before = await only()
  const free = (before?.plan.totalReward ?? 0n) - dct('36')
  const steady = { lapsed: 0n, free, pool: before?.plan.totalReward, locked: dct('50'), paid: 0n }
  expect(before?.figures).toEqual({
    ...{ promised: dct('35'), credited: dct('1'), awaitingFee: 0n, awaitingPayout: 0n },
    ...steady,
  })
  expect((await claim(world, holder, 'HALF')).status).toBe(200)
  await passDays(world.stakes, 2)
  const after = await only()
  expect(after?.figures).toEqual({
    ...{ promised: dct('34.8'), credited: dct('0.2') },
    ...{ awaitingFee: dct('0.5'), awaitingPayout: dct('0.5') },
    ...steady,
  })
  expect((await position()).openPayouts).toEqual({ tron: 1, bsc: 0 })

  const { id } = await database.db.selectFrom('claim').select('id').executeTakeFirstOrThrow()
  await payOut(world, `claim:${id}:now`)
  const paid = await only()
  const figures = paid?.figures ?? totalOf([])
  expect(figures).toMatchObject({ awaitingFee: dct('0.5'), awaitingPayout: 0n, paid: dct('0.5') })
  expect(dctOwed(figures)).toBe(dct('35.5'))
  expect(figures.pool).toBe(dctOwed(figures) + figures.lapsed + figures.free)
})

test('what the owner withdraws from a plan or from the payout wallet counts as paid to nobody', async () => {
  await givenHolder(world, { amount: dct('50'), days: 3 })
  await inTransaction(database.db, (tx) =>
    postTransfers(tx, [
      {
        ...{ kind: 'plan.free-withdrawn', ref: 'a:0', asset: 'DCT', at: clock.now() },
        ...{ debit: account.free('PLAN-360'), credit: account.chainPool('PLAN-360') },
        amount: dct('7'),
      },
      {
        ...{ kind: 'payout_wallet.topped_up', ref: 'b:0', asset: 'USDT', at: clock.now() },
        ...{ debit: account.payoutWallet, credit: account.owner, amount: usdt('9') },
      },
      {
        ...{ kind: 'payout_wallet.withdrawn', ref: 'c:0', asset: 'USDT', at: clock.now() },
        ...{ debit: account.owner, credit: account.payoutWallet, amount: usdt('4') },
      },
    ]),
  )
  const { plans, usdt: figures } = await position()
  expect(plans[0]?.figures).toMatchObject({ locked: dct('50'), paid: 0n })
  expect(figures).toMatchObject({ payoutWallet: usdt('5'), paid: 0n })
})

test('only the later part of a claim, odd unit included, waits for the fee until it is paid', async () => {
  const awaiting = async () => (await only())?.figures.awaitingFee
  // This stake earns 0.050021 a day, so three days earn an odd number of units.
  const holder = await givenHolder(world, { amount: dct('25.010501'), days: 13 })
  expect((await claim(world, holder, 'HALF')).status).toBe(200)
  const [open] = await claimRows(world)
  expect((open?.later_amount ?? 0n) - (open?.now_amount ?? 0n)).toBe(1n)
  expect(await awaiting()).toBe(open?.later_amount)
  await receive(world, transferEvent(world, { value: open?.exact_amount ?? 0n }))
  expect(await awaiting()).toBe(0n)
})

test('the plans add up to the total', async () => {
  await givenHolder(world, { amount: dct('50'), days: 3 })
  await givenHolder(world, { amount: dct('10'), days: 2, planCode: 'PLAN-OTHER' })
  const { plans } = await position()
  expect(plans.map(({ plan }) => plan.code)).toEqual(['PLAN-360', 'PLAN-OTHER'])
  const total = totalOf(plans)
  for (const figure of ['promised', 'credited', 'free', 'pool'] as const) {
    const [first, second] = plans.map(({ figures }) => figures[figure])
    expect([figure, total[figure]]).toEqual([figure, (first ?? 0n) + (second ?? 0n)])
  }
})

test('referral rewards and payments that match no fee are owed in USDT', async () => {
  const deps = { db: database.db, clock, realClock }
  const top = await givenUser(deps)
  const payer = await givenUser(deps, { referrerId: top.id })
  await payFee(deps, { payerId: payer.id, usdt: '10' })
  await receive(world, transferEvent(world, { value: usdt('7') }))
  const { usdt: figures } = await position()
  expect(figures).toEqual({
    ...{ referralUnclaimed: usdt('1'), referralRequested: 0n, awaitingPayout: 0n },
    ...{ unmatched: usdt('7'), payoutWallet: 0n, feeReceiver: usdt('17') },
    ...{ fees: usdt('10'), paid: 0n },
  })
  expect(usdtOwed(figures)).toBe(usdt('8'))
})

test('the amount that referrers have not claimed is exact at each step of a claim', async () => {
  const referral = await createReferralApp(database.db)
  const [top, admin] = [await referral.given(), await referral.given({ role: 'admin' })]
  const payer = await referral.given({ referrerId: top.id })
  const shown = async () => {
    const { referralUnclaimed, referralRequested, awaitingPayout } = (await position()).usdt
    return [referralUnclaimed, referralRequested, awaitingPayout].map(
      (figure) => figure / usdt('1'),
    )
  }
  const earn = () => payFee(referral.people, { payerId: payer.id, usdt: '30' })
  await earn()
  expect(await shown()).toEqual([3n, 0n, 0n])
  const { body } = await referral.claim(top)
  await earn()
  expect(await shown()).toEqual([3n, 3n, 0n])
  await referral.approve(admin, body.id)
  expect(await shown()).toEqual([3n, 0n, 3n])
  await payClaim(referral.people, { id: body.id, blockNumber: 5n })
  expect(await shown()).toEqual([3n, 0n, 0n])
  const next = await referral.claim(top)
  await referral.decline(admin, { id: next.body.id, reason: 'Not now' })
  expect(await shown()).toEqual([3n, 0n, 0n])
  await referral.app.close()
})

test('unpaid payouts are counted per chain', async () => {
  const to = `0x${'a1'.repeat(20)}` as const
  const senders = { ...senderWorld(database.db, {} as never), clock }
  for (const cause of ['referral:1', 'referral:2']) {
    await givenUsdtPayout(senders, { to, amount: 10n ** 18n, cause })
  }
  expect((await position()).openPayouts).toEqual({ tron: 0, bsc: 2 })
})
