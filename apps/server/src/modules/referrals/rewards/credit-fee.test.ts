import { formatAmount, parseAmount } from '@dct/money'
import { DIRECT_RATE_MAX_BPS, REFERRAL_PERCENTAGE_MAX_BPS } from '@dct/rules/constants'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inTransaction, isViolationOf } from '../../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { ManualClock } from '../../../testing/manual-clock.ts'
import { payFee, setRate } from '../../../testing/referrals.ts'
import { givenUser } from '../../../testing/users.ts'
import { account, balanceOf, postTransfers } from '../../ledger/index.ts'
import { creditFee } from '../index.ts'

const database = useTestDatabase(24)
const clock = new ManualClock('2026-01-31T10:00:00Z')
beforeEach(() => wipe(database.db))
const deps = () => ({ db: database.db, clock, realClock: clock })

/** Creates a line of users with these percentages, from the top down; the last one pays. */
async function givenLine(...rates: number[]): Promise<bigint[]> {
  const ids: bigint[] = []
  for (const bps of rates) {
    const above = ids.at(-1)
    const { id } = await givenUser(deps(), above === undefined ? {} : { referrerId: above })
    if (bps > 0) await setRate(deps(), { userId: id, bps })
    ids.push(id)
  }
  return ids
}

async function rewards() {
  const rows = await database.db
    .selectFrom('referral_reward')
    .select(['receiver_id', 'kind', 'level', 'rate_bps', 'amount', 'row_number', 'running'])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, amount: formatAmount('USDT', row.amount) }))
}
const ledgerOf = (accountOf: (id: bigint) => ReturnType<typeof account.referralDirect>) => {
  return async (userId: bigint) => {
    const found = { asset: 'USDT', account: accountOf(userId) } as const
    return formatAmount('USDT', await balanceOf(database.db, found))
  }
}
const directBalance = ledgerOf(account.referralDirect)
const indirectBalance = ledgerOf(account.referralIndirect)

test('a paid fee credits the referrer and the upline, and stores the rates', async () => {
  const [top = 0n, middle = 0n, referrer = 0n, payer = 0n] = await givenLine(2_000, 500, 0, 0)
  await payFee(deps(), { payerId: payer, usdt: '10.5' })
  expect(await rewards()).toMatchObject([
    { receiver_id: referrer, kind: 'direct', level: 1, rate_bps: 1_000, amount: '1.050000' },
    { receiver_id: middle, kind: 'indirect', level: 2, rate_bps: 500, amount: '0.525000' },
    { receiver_id: top, kind: 'indirect', level: 3, rate_bps: 1_500, amount: '1.575000' },
  ])
  expect(await directBalance(referrer)).toBe('1.050000')
  expect(await indirectBalance(middle)).toBe('0.525000')
  expect(await indirectBalance(top)).toBe('1.575000')
  const income = await balanceOf(database.db, { asset: 'USDT', account: account.incomeFee })
  expect(formatAmount('USDT', income)).toBe('7.350000')
})

test('a fee is credited once, even with repeated and concurrent calls', async () => {
  const [, referrer = 0n, payer = 0n] = await givenLine(1_000, 0, 0)
  const fee = { feeId: 7n, payerUserId: payer, feeUsdt: parseAmount('USDT', '10') }
  await Promise.all(
    Array.from({ length: 16 }, () =>
      inTransaction(database.db, async (tx) => {
        const paid = { ...fee, planCode: 'PLAN-360', at: clock.now() }
        await postTransfers(tx, await creditFee({ directRateBps: 1_000n }, tx, paid))
      }),
    ),
  )
  expect(await rewards()).toHaveLength(2)
  expect(await directBalance(referrer)).toBe('1.000000')
  await payFee(deps(), { payerId: payer, usdt: '10', feeId: 7n })
  expect(await directBalance(referrer)).toBe('1.000000')
})

test('a payer without a referrer credits no user, even when repeated', async () => {
  const [payer = 0n] = await givenLine(5_000)
  const feeId = await payFee(deps(), { payerId: payer, usdt: '10' })
  await payFee(deps(), { payerId: payer, usdt: '10', feeId })
  expect(await rewards()).toEqual([])
})

test('[T086] a changed percentage applies to later fees only, and each reward stores its own', async () => {
  const [top = 0n, payer = 0n] = await givenLine(1_000, 0)
  await payFee(deps(), { payerId: payer, usdt: '10' })
  await setRate(deps(), { userId: top, bps: 3_000 })
  await payFee(deps(), { payerId: payer, usdt: '10' })
  await setRate(deps(), { userId: top, bps: 0 })
  await payFee(deps(), { payerId: payer, usdt: '10' })
  const indirect = (await rewards()).filter(({ kind }) => kind === 'indirect')
  expect(indirect.map(({ rate_bps, amount }) => [rate_bps, amount])).toEqual([
    [1_000, '1.000000'],
    [3_000, '3.000000'],
  ])
})

test('[T086] with percentages changing while fees are settled, every reward matches its stored rate', async () => {
  const [top = 0n, middle = 0n, payer = 0n] = await givenLine(2_000, 1_000, 0)
  const change = async () => {
    for (let round = 0; round < 40; round += 1) {
      await setRate(deps(), { userId: middle, bps: (round % 4) * 1_000 })
      await setRate(deps(), { userId: top, bps: 7_500 - (round % 3) * 2_500 })
    }
  }
  const pay = async () => {
    for (let round = 0; round < 10; round += 1) await payFee(deps(), { payerId: payer, usdt: '1' })
  }
  await Promise.all([change(), ...Array.from({ length: 8 }, pay)])
  const found = await rewards()
  const fee = parseAmount('USDT', '1')
  for (const { amount, rate_bps } of found) {
    expect(amount).toBe(formatAmount('USDT', (fee * BigInt(rate_bps)) / 10_000n))
  }
  // The numbers have no gaps and the running sums add up, although 8 connections wrote concurrently.
  for (const receiver of [top, middle]) {
    for (const kind of ['direct', 'indirect']) {
      let running = 0n
      const own = found.filter((one) => one.receiver_id === receiver && one.kind === kind)
      for (const [at, row] of own.sort((a, b) => Number(a.row_number - b.row_number)).entries()) {
        running += parseAmount('USDT', row.amount)
        expect([row.row_number, row.running]).toEqual([BigInt(at + 1), running])
      }
    }
  }
  expect(await directBalance(middle)).toBe('8.000000')
})

test('[T020] the database refuses rewards above their caps', async () => {
  const [payer = 0n] = await givenLine(0)
  const insert = (direct: bigint, indirect: bigint) =>
    database.db
      .insertInto('referral_fee')
      .values({ fee_id: 1n, payer_id: payer, fee_usdt: 10_000n, direct, indirect })
      .execute()
  await expect(insert(DIRECT_RATE_MAX_BPS + 1n, 0n)).rejects.toSatisfy((error) =>
    isViolationOf(error, 'referral_fee_direct_cap'),
  )
  await expect(insert(0n, REFERRAL_PERCENTAGE_MAX_BPS + 1n)).rejects.toSatisfy((error) =>
    isViolationOf(error, 'referral_fee_indirect_cap'),
  )
  await insert(DIRECT_RATE_MAX_BPS, REFERRAL_PERCENTAGE_MAX_BPS)
})

test.each([
  ['change a reward', sql`update referral_reward set amount = 1`],
  ['remove a reward', sql`delete from referral_reward`],
  ['change a fee', sql`update referral_fee set direct = 0`],
  ['remove a fee', sql`delete from referral_fee`],
])('the database refuses to %s', async (_what, statement) => {
  const [, payer = 0n] = await givenLine(0, 0)
  await payFee(deps(), { payerId: payer, usdt: '10' })
  await expect(statement.execute(database.db)).rejects.toSatisfy((error) =>
    isViolationOf(error, 'referral_fixed'),
  )
})
