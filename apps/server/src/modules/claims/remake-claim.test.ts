import { parseAmount } from '@dct/money'
import type { Hex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import { everything } from '../../testing/all-tables.ts'
import {
  claim,
  claimRows,
  expectBooksToBalance,
  givenHolder,
  RECEIVER,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import { useFreshClaims } from '../../testing/fresh-claims.ts'
import { passDays } from '../../testing/stakes.ts'
import type { TestUser } from '../../testing/users.ts'
import { bytesOf } from '../chain/index.ts'
import { account, balanceOf } from '../ledger/index.ts'
import { claimCode, claimCodeKey, isCodeOf } from './claim-code.ts'

const { world, clock } = useFreshClaims(16)
let holder: TestUser

beforeEach(async () => {
  holder = await givenHolder(world)
})

const usdt = (text: string) => parseAmount('USDT', text)
const receipts = () =>
  everything(world.db).selectFrom('usdt_receipt').selectAll().orderBy('block_number').execute()

/** Pays one fee, so that the address is known as the holder's own. */
async function givenPayer(user = holder, from = PAYER) {
  expect((await claim(world, user, 'FULL')).status).toBe(200)
  const open = (await claimRows(world)).at(-1)
  await receive(world, transferEvent(world, { value: open?.exact_amount ?? 0n, from }))
}
const PAYER: Hex = `0x${'7a'.repeat(20)}`
const claimAgain = async () => {
  await passDays(world.stakes, 10)
  return (await claim(world, holder, 'FULL')).body.data as Record<string, string>
}

test('a payment for a claim that the books have lost pays the fee of the claim that is made again', async () => {
  await givenPayer()
  await receive(world, transferEvent(world, { value: usdt('0.504321'), from: PAYER }))
  const made = await claimAgain()
  expect(made).toMatchObject({ unpaid_fee_usdt: '0.000000' })
  expect((await claimRows(world)).map(({ state }) => state)).toEqual(['paid', 'paid'])
  expect(await balanceOf(world.db, { asset: 'USDT', account: account.suspense })).toBe(0n)
  expect((await receipts()).map(({ state }) => state)).toEqual(['settled', 'settled'])
  await expectBooksToBalance(world)
})

test('a lost claim is made again from its payment, and only what was credited since has a fee', async () => {
  await givenPayer()
  await passDays(world.stakes, 10)
  await received('0.504321')
  const made = await claimAgain()
  expect(made).toMatchObject({
    now_amount: '0.000000',
    later_amount: '1.000000',
    remade: [{ now_amount: '0.000000', later_amount: '1.000000', paid_usdt: '0.504321' }],
  })
  expect(usdt(made.unpaid_fee_usdt ?? '') - usdt('0.50')).toBeLessThan(usdt('0.01'))
  expect(await cyclesOfClaims()).toEqual(['1-10 paid', '11-20 paid', '21-30 awaiting_fee'])
  expect(world.credited.map(({ feeUsdt }) => feeUsdt)).toEqual([usdt('0.4'), usdt('0.4')])
  expect(await balanceOf(world.db, { asset: 'USDT', account: account.suspense })).toBe(0n)
  await expectBooksToBalance(world)
})

test('a lost claim is made again once, though its holder claims from two devices at once', async () => {
  await givenPayer()
  await passDays(world.stakes, 10)
  await received('0.504321')
  await passDays(world.stakes, 10)
  await Promise.all([claim(world, holder, 'HALF'), claim(world, holder, 'HALF')])
  expect(await cyclesOfClaims()).toEqual(['1-10 paid', '11-20 paid', '21-30 awaiting_fee'])
  await expectBooksToBalance(world)
})

test('two claims that the books have lost are made again, in their order', async () => {
  await givenPayer()
  await passDays(world.stakes, 10)
  await received('0.504321')
  await passDays(world.stakes, 15)
  await received('0.707654')
  const made = await claimAgain()
  expect(made.remade).toMatchObject([{ paid_usdt: '0.504321' }, { paid_usdt: '0.707654' }])
  const claims = ['1-10 paid', '11-20 paid', '21-35 paid', '36-45 awaiting_fee']
  expect(await cyclesOfClaims()).toEqual(claims)
})

test('what lapsed since the fee of a lost claim was paid is credited again', async () => {
  await givenPayer()
  await passDays(world.stakes, 33)
  await received('1.424321')
  await passDays(world.stakes, 7)
  const made = await claimAgain()
  expect(made.remade).toMatchObject([{ later_amount: '3.300000' }])
  expect(made.later_amount).toBe('1.700000')
  expect(await cyclesOfClaims()).toEqual(['1-10 paid', '11-43 paid', '44-60 awaiting_fee'])
  await expectBooksToBalance(world)
})

test('where too little is left for a claim, the one that was made again is all', async () => {
  await givenPayer()
  await passDays(world.stakes, 10)
  await received('0.504321')
  await passDays(world.stakes, 2)
  const { body } = await claim(world, holder, 'FULL')
  expect(body.data).toMatchObject({ unpaid_fee_usdt: '0.000000', later_amount: '1.000000' })
  expect(await cyclesOfClaims()).toEqual(['1-10 paid', '11-20 paid'])
})

async function cyclesOfClaims(): Promise<string[]> {
  const rows = await claimRows(world)
  return rows.map((row) => `${row.first_cycle}-${row.last_cycle} ${row.state}`)
}

test.each<[string, () => Promise<unknown>]>([
  ['is less than the fee', () => received('0.494321')],
  ['has the digits of no fee', () => received('0.50')],
  [
    'was made before the cycles whose fee it could be',
    async () => {
      await received('0.504321')
      await passDays(world.stakes, 10)
    },
  ],
  ['is more than a tenth above the fee', () => received('0.654321')],
  [
    'comes from an address that paid for others too',
    async () => {
      // Ten more days pass, which the next claim takes as well.
      await givenPayer(await givenHolder(world))
      await received('0.904321')
    },
  ],
  [
    'comes from an address that has paid nothing',
    () => received('0.504321', `0x${'7b'.repeat(20)}`),
  ],
  [
    'repeats that of a known claim',
    async () => {
      const known = (await claimRows(world))[0]?.exact_amount ?? 0n
      await receive(world, transferEvent(world, { value: known, from: PAYER }))
    },
  ],
])('a payment that %s pays no other claim', async (_what, pay) => {
  await givenPayer()
  await pay()
  const made = await claimAgain()
  expect(made.unpaid_fee_usdt).not.toBe('0.000000')
  expect((await receipts()).filter(({ state }) => state === 'unmatched')).toHaveLength(1)
})

describe('a lost claim whose code the holder’s device remembers', () => {
  const EXCHANGE: Hex = `0x${'7e'.repeat(20)}`
  /** The code of a claim that was made after the backup, when this was asked. */
  const lostCode = async (exact: string, user = holder) => {
    const asked = { staker: user.address, planCode: 'PLAN-360', receiver: bytesOf(RECEIVER) }
    const key = await inTransaction(world.db, claimCodeKey)
    return claimCode(key, { ...asked, exact: usdt(exact) })
  }
  const claimKnowing = async (...codes: string[]) =>
    (await claim(world, holder, 'FULL', { known_codes: codes })).body.data

  test('is made again from its payment, whoever sent it, though it was the holder’s first', async () => {
    const code = await lostCode('0.504321')
    await received('0.504321', EXCHANGE)
    const made = await claimKnowing('CL-0000000000000000', code)
    expect(made).toMatchObject({ code_claim: code, unpaid_fee_usdt: '0.000000' })
    expect(await cyclesOfClaims()).toEqual(['1-10 paid'])
    await passDays(world.stakes, 10)
    expect((await claimKnowing(code)).unpaid_fee_usdt).not.toBe('0.000000')
    await expectBooksToBalance(world)
  })

  test('is made again for the cycles that its payment covers, where the price has changed since', async () => {
    await received('0.504321', EXCHANGE)
    const at = clock.now()
    await everything(world.db)
      .insertInto('setting_change')
      .values({ kind: 'price', value: 120_000_000n, at })
      .execute()
    await passDays(world.stakes, 8)
    await claimKnowing(await lostCode('0.504321'))
    expect(await cyclesOfClaims()).toEqual(['1-8 paid', '9-18 awaiting_fee'])
  })

  test('settles nothing of another holder, another plan or another amount', async () => {
    const other = await givenHolder(world)
    const codes = [await lostCode('0.504321', other), await lostCode('0.501234')]
    await received('0.504321', EXCHANGE)
    expect((await claimKnowing(...codes)).unpaid_fee_usdt).not.toBe('0.000000')
    expect((await receipts()).map(({ state }) => state)).toEqual(['unmatched'])
  })

  test('has a code that says so, also where its first amount was taken', async () => {
    expect((await claim(world, holder, 'FULL')).status).toBe(200)
    const [row] = await claimRows(world)
    const { exact_amount: exact, receiver, plan_code: planCode, code_claim } = row ?? never()
    const key = await inTransaction(world.db, claimCodeKey)
    const asked = { staker: holder.address, planCode, exact, receiver }
    expect(isCodeOf(key, code_claim, asked)).toBe(true)
    expect(isCodeOf(key, code_claim, { ...asked, exact: exact + 1n })).toBe(false)
  })
})

function never(): never {
  throw new Error('there is no claim')
}

function received(value: string, from = PAYER) {
  return receive(world, transferEvent(world, { value: usdt(value), from }))
}
