import type { UnmatchedPayment, UnmatchedPaymentsReply } from '@dct/api-contract/claims'
import type { PayoutsReply } from '@dct/api-contract/payouts'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { Page } from '@playwright/test'
import { callsOf, queryOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { fact, toast } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { listOf, recordedReply, type World } from './support/world.ts'

const LIST = '/api/admin/unmatched-payments'
const PAYOUTS_LIST = 'GET /api/admin/payouts'
const [recorded] = recordedReply<UnmatchedPaymentsReply>(`GET ${LIST}`).payments as [
  UnmatchedPayment,
]
/** A payment that is a little too much for a fee, and one that no fee is similar to. */
const near: UnmatchedPayment = {
  ...{ ...recorded, tx_hash: `0x${'1a'.repeat(32)}`, amount_usdt: '0.4601231' },
  ...{ nearest_expected_usdt: '0.460123', nearest_difference_usdt: '0.0000001' },
}
const far: UnmatchedPayment = {
  ...{ ...recorded, tx_hash: `0x${'2b'.repeat(32)}`, amount_usdt: '77.700000' },
  ...{ nearest_code_claim: null, nearest_tron_address: null },
  ...{ nearest_expected_usdt: null, nearest_difference_usdt: null },
}

/** As it stands, because a payment shows all digits that it has, unlike those that were recorded. */
function listPayments(world: World): void {
  world.answer(`GET ${LIST}`, (asked) => {
    const list = listOf('payments', [near, far], asked, { day: 'received_at' })
    return { status: 200, text: JSON.stringify(list) }
  })
}

const at = (search = '') => `/admin/operations?tab=payments${search && `&pay-search=${search}`}`
const table = (page: Page) => page.getByRole('table', { name: 'Unmatched payments' })
const rows = (page: Page) => table(page).locator('tbody tr.data-table__row')
const choice = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
/** Sets both days in one step, before the page renders the first. */
const setDays = (page: Page, days: Record<string, string>) =>
  page.evaluate((wanted) => {
    for (const label of document.querySelectorAll<HTMLLabelElement>('.date-range label')) {
      const input = label.control
      const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
      set?.call(input, wanted[label.textContent ?? ''])
      input?.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }, days)
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

test('payments that match no fee are listed with the nearest fee, and found by hash and amount', async ({
  visit,
  world,
}) => {
  listPayments(world)
  const { page, calls } = await visit({ as: 'admin', path: at(near.tx_hash) })
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText(near.nearest_code_claim ?? '')
  await expect(rows(page)).toContainText('0.0000001 USDT too much')
  await page.getByRole('searchbox').fill(far.tx_hash)
  await expect(rows(page)).toContainText('77.700000 USDT')
  await expect(rows(page)).toContainText('No similar fee')
  await page.getByRole('searchbox').fill('')
  await table(page).getByRole('button', { name: 'Amount' }).click()
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', LIST).at(-1)))
    .toMatchObject({ state: 'unmatched', sort_by: 'amount_usdt', sort_order: 'asc' })
  await setDays(page, { 'Start Date': '2020-01-01', 'End Date': '2020-01-02' })
  await expect(page.getByText('No payment found.')).toBeVisible()
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', LIST).at(-1)))
    .toMatchObject({
      ...{ start_date: '2020-01-01', end_date: '2020-01-02' },
    })
})

test('a payment is attached to a fee with its difference in view; an unknown code is refused', async ({
  visit,
  world,
}) => {
  listPayments(world)
  const ATTACH = `POST ${LIST}/attach`
  world.refuse(ATTACH, 'CLAIM_NOT_FOUND')
  const { page, calls } = await visit({
    ...{ as: 'admin', path: at(near.tx_hash), tolerates: FAILED_CALLS },
  })
  await rows(page).getByRole('button', { name: 'Attach' }).click()
  const modal = dialog(page, 'Attach the payment to a fee')
  await expect(fact(modal, 'Difference')).toHaveText('0.0000001 USDT too much')
  await modal.getByLabel('Claim code').fill('NO-SUCH-CLAIM')
  await modal.getByRole('button', { name: 'Attach' }).click()
  await expect(modal.getByRole('alert')).toHaveText('There is no such claim.')
  expect(callsOf(calls, 'POST', `${LIST}/attach`)[0]?.body).toMatchObject({
    ...{ tx_hash: near.tx_hash, code_claim: 'NO-SUCH-CLAIM' },
  })
})

const PAYOUTS = '/admin/operations?tab=payouts'
const payouts = (page: Page) =>
  page.getByRole('table', { name: 'Payouts', exact: true }).locator('tbody tr.data-table__row')

test('payouts are listed by state and chain, with their senders', async ({ visit, world }) => {
  const { payouts: all } = recordedReply<PayoutsReply>(PAYOUTS_LIST)
  world.answer(PAYOUTS_LIST, (asked) =>
    listOf('payouts', asked.query.state === 'returned' ? [] : all, { ...asked, query: PAGE }),
  )
  const { page, calls } = await visit({ as: 'admin', path: PAYOUTS })
  const paid = payouts(page).first()
  await expect(paid).toContainText('Paid')
  await expect(paid.getByRole('link')).toHaveCount(3)
  await paid.getByRole('link', { name: /^CL-[0-9A-F]{16}: sent/ }).click()
  await expect(page).toHaveURL(/\/admin\/cases\/CL-[0-9A-F]{16}$/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('CL-')
  await page.goBack()
  const tron = page.getByRole('article', { name: 'TRON', exact: true })
  await expect(fact(tron, 'Held')).toHaveText('0')
  await choice(page, 'State').selectOption('Returned')
  await expect(page.getByText('No payout found.')).toBeVisible()
  await choice(page, 'Chain').selectOption('BSC')
  await expect
    .poll(() => queryOf(callsOf(calls, 'GET', '/api/admin/payouts').at(-1)))
    .toMatchObject({ state: 'returned', chain: 'BSC', sort_by: 'created_at', sort_order: 'desc' })
})

const PAGE = { page: 1, limit: 10 }
/** Shows one payout, with these facts. */
const showPayout = (world: World, facts: object) =>
  world.alter<PayoutsReply>(PAYOUTS_LIST, (list) => ({
    ...list,
    payouts: list.payouts.slice(0, 1).map((payout) => ({ ...payout, ...facts })),
  }))

test('a payout that waits shows its reason, and is retried only when the service agrees', async ({
  visit,
  world,
}) => {
  showPayout(world, {
    ...{ state: 'waiting', wait_reason: 'REVERTED', wait_text: 'It reverted twice.' },
    ...{ failures: 2, attempts: 2 },
  })
  world.refuse('POST /api/admin/payouts/retry', 'PAYOUT_NOT_HELD')
  const { page, calls } = await visit({ as: 'admin', path: PAYOUTS, tolerates: FAILED_CALLS })
  await expect(payouts(page).first()).toContainText('It reverted twice.')
  await expect(payouts(page).first()).toContainText(
    '2 transactions signed so far, 2 failed on chain',
  )
  await payouts(page).getByRole('button', { name: 'Try again' }).click()
  const modal = dialog(page, 'Retry the payout')
  await expect(modal).toContainText('It cannot be paid twice')
  await modal.getByRole('button', { name: 'Try again' }).click()
  await expect(modal.getByRole('alert')).toHaveText(
    'This payout is not held: it continues automatically.',
  )
  expect(callsOf(calls, 'POST', '/api/admin/payouts/retry')).toHaveLength(1)
})

test('a waiting payout shows why it waits, and is held only if a reason is given', async ({
  visit,
  world,
}) => {
  const waiting = {
    ...{ state: 'waiting', wait_reason: 'NO_TRX', tx_hash: null },
    ...{ wait_text: 'The operator does not have enough TRX or energy.' },
    waiting_since: '2026-01-31T03:00:00.000Z',
  }
  showPayout(world, waiting)
  world.refuse('POST /api/admin/payouts/hold', 'PAYOUT_ENDED')
  const { page, calls } = await visit({ as: 'admin', path: PAYOUTS, tolerates: FAILED_CALLS })
  await expect(payouts(page).first()).toContainText(waiting.wait_text)
  await payouts(page).getByRole('button', { name: 'Hold' }).click()
  const modal = dialog(page, 'Hold the payout')
  await expect(modal.getByRole('button', { name: 'Hold' })).toBeDisabled()
  await modal.getByLabel('Reason').fill('Under review')
  await modal.getByRole('button', { name: 'Hold' }).click()
  await expect(modal.getByRole('alert')).toHaveText('This payout has already ended.')
  expect(callsOf(calls, 'POST', '/api/admin/payouts/hold')[0]?.body).toMatchObject({
    reason: 'Under review',
  })
})

test('an operator call that failed shows its reason, and is retried only when the service agrees', async ({
  visit,
  world,
}) => {
  const call = {
    ...{ id: '999999', kind: 'openPlan', subject: 'plan:PLAN-90', state: 'waiting', failures: 2 },
    ...{ wait_text: 'It failed twice.', created_at: '2026-01-31T03:00:00.000Z' },
  }
  world.answer('GET /api/admin/operator-calls', { operator_calls: [call] })
  world.refuse('POST /api/admin/operator-calls/retry', 'OPERATOR_CALL_NOT_FOUND')
  world.answer('POST /api/admin/operator-calls/give-up', { message: SUCCESSES.CALL_GIVEN_UP })
  const { page, calls } = await visit({ as: 'admin', path: PAYOUTS, tolerates: FAILED_CALLS })
  const held = page.getByRole('article', { name: 'Open PLAN-90' })
  await expect(held).toContainText('It failed twice.')
  await held.getByRole('button', { name: 'Try again' }).click()
  await expect(toast(page, 'There is no such call by the operator.')).toBeVisible()
  await held.getByRole('button', { name: 'Give up' }).click()
  await expect
    .poll(() => callsOf(calls, 'POST', '/api/admin/operator-calls/give-up').length)
    .toBe(1)
  expect(callsOf(calls, 'POST', '/api/admin/operator-calls/retry')).toHaveLength(1)
})
