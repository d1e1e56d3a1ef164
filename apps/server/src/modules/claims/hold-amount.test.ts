import { parseAmount, type Usdt } from '@dct/money'
import { TAILS_PER_CENT, tailAt } from '@dct/rules/fees'
import { expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import { everything } from '../../testing/all-tables.ts'
import {
  claim,
  claimRows,
  get,
  givenHolder,
  RECEIVER,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import { useFreshClaims } from '../../testing/fresh-claims.ts'
import { bytesOf } from '../chain/index.ts'
import { holdAmount } from './hold-amount.ts'

const { world, clock } = useFreshClaims(32)

const usdt = (text: string) => parseAmount('USDT', text)

test('a fee above the agreed maximum is refused with the current one, and nothing is claimed', async () => {
  const holder = await givenHolder(world)
  const { body } = await get(world, holder, '/user/claimable-reward')
  const [{ estimated_fee_usdt }] = body.claimable_rewards
  const refused = await claim(world, holder, 'FULL', { max_fee_usdt: '0.50' })
  expect(refused).toMatchObject({ status: 409, body: { code: 'FEE_ABOVE_MAXIMUM' } })
  expect(refused.body.details.fee_usdt).toMatch(/^0\.50\d{3}[1-9]$/)
  expect(await claimRows(world)).toEqual([])
  expect(await everything(world.db).selectFrom('amount_hold').selectAll().execute()).toEqual([])
  const agreed = await claim(world, holder, 'FULL', { max_fee_usdt: Number(estimated_fee_usdt) })
  expect(agreed.status).toBe(200)
  for (const max_fee_usdt of ['-1', '1e3', 'x']) {
    expect((await claim(world, holder, 'FULL', { max_fee_usdt })).body.code).toBe('BAD_AMOUNT')
  }
})

test('[T060] fees with the same cent never share an amount; when its tails are used up, the next cent is used', async () => {
  const holder = await givenHolder(world)
  const other = await givenHolder(world, { planCode: 'PLAN-B', days: 10 })
  await claim(world, holder, 'FULL')
  const cent = usdt('0.50')
  await holdAllTails(cent, { free: [77] })
  const list = await get(world, other, '/user/claimable-reward')
  expect(list.body.claimable_rewards[0].estimated_fee_usdt).toBe('0.510000')
  const last = await claim(world, other, 'FULL', { earning_plan_code: 'PLAN-B' })
  expect(usdt(last.body.data.unpaid_fee_usdt)).toBe(cent + tailAt(77))

  const third = await givenHolder(world, { planCode: 'PLAN-C', days: 10 })
  const next = await get(world, third, '/user/claimable-reward')
  expect(next.body.claimable_rewards[0].estimated_fee_usdt).toBe('0.520000')
  const above = await claim(world, third, 'FULL', { earning_plan_code: 'PLAN-C' })
  expect(above.body.data.unpaid_fee_usdt).toMatch(/^0\.51\d{3}[1-9]$/)
})

test('[T060] sixteen concurrent claims of the same amount get sixteen different fees', async () => {
  const holders = []
  for (let at = 0; at < 16; at += 1) {
    holders.push(await givenHolder(world, { days: at === 15 ? 10 : 0 }))
  }
  const all = await Promise.all(holders.map((holder) => claim(world, holder, 'FULL')))
  const fees = all.map(({ body }) => body.data.unpaid_fee_usdt)
  expect(new Set(fees).size).toBe(16)
})

test('[T060] an amount that a claim holds is refused to another one', async () => {
  await claim(world, await givenHolder(world), 'FULL')
  await claim(world, await givenHolder(world), 'FULL')
  const [one, other] = await claimRows(world)
  if (one === undefined || other === undefined) throw new Error('there are no two claims')
  const hold = { receiver: one.receiver, exact: one.exact_amount, claimId: other.id }
  expect(await inTransaction(world.db, (tx) => holdAmount(tx, hold))).toBe(false)
})

test('an amount that arrived without a fee, as for a claim that a restore has lost, is never asked for', async () => {
  const holder = await givenHolder(world)
  const other = await givenHolder(world, { planCode: 'PLAN-B', days: 10 })
  await claim(world, holder, 'FULL')
  const cent = usdt('0.50')
  await holdAllTails(cent, { free: [77, 78] })
  await receive(world, transferEvent(world, { value: cent + tailAt(77) }))
  const last = await claim(world, other, 'FULL', { earning_plan_code: 'PLAN-B' })
  expect(usdt(last.body.data.unpaid_fee_usdt)).toBe(cent + tailAt(78))
  const list = await get(world, await givenHolder(world, { planCode: 'PLAN-C' }), CLAIMABLE)
  expect(list.body.claimable_rewards[0].estimated_fee_usdt).toBe('0.520000')
})

const CLAIMABLE = '/user/claimable-reward'

/** Uses up all tails of a cent except for the `free` ones, with recently closed claims. */
async function holdAllTails(cent: Usdt, { free }: { free: readonly number[] }) {
  const [first] = await claimRows(world)
  if (first === undefined) throw new Error('there is no claim to copy')
  const { id: _id, exact_amount: own, unpaid_usdt: _unpaid, ...copy } = first
  const amounts = Array.from({ length: TAILS_PER_CENT }, (_unused, index) => cent + tailAt(index))
  const taken = amounts.filter((exact, index) => exact !== own && !free.includes(index))
  for (let at = 0; at < taken.length; at += 1_000) {
    const closed = { state: 'cancelled', closed_at: clock.now() } as const
    const rows = await everything(world.db)
      .insertInto('claim')
      .values(
        taken.slice(at, at + 1_000).map((exact_amount) => ({
          ...copy,
          ...closed,
          exact_amount,
          code_claim: `CL-${exact_amount}`,
        })),
      )
      .returning(['id as claim_id', 'exact_amount'])
      .execute()
    const receiver = bytesOf(RECEIVER)
    const holds = rows.map((row) => ({ ...row, receiver }))
    await everything(world.db).insertInto('amount_hold').values(holds).execute()
  }
}
