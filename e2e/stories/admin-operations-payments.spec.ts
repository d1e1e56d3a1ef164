import type { Page } from '@playwright/test'
import type { OutsideHolder, PendingFee } from '../outside/outside-client.ts'
import { callsOf, queryOf } from '../support/calls.ts'
import { alter, FAILED_CALLS } from '../support/provoke.ts'
import { claimed, joined, PLAN_360, PLAN_720 } from '../support/scenes.ts'
import { fact, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const LIST = '/api/admin/unmatched-payments'
type Payments = {
  payments: { tx_hash: string; log_index: number; state: string; note: string | null }[]
}

let holder: OutsideHolder
let fee: PendingFee
let nearHash: string
let farHash: string

/**
 * A holder with an open fee and one half already sent, who paid slightly too much (closer to this fee than to any other
 * possible fee) and then far too much.
 */
test.beforeAll(async ({ product }) => {
  holder = await product.holder()
  await joined(product, holder, { plan: PLAN_360, amount: '50' })
  await joined(product, holder, { plan: PLAN_720, amount: '50' })
  await product.advance(8)
  await claimed(product, holder, { plan: PLAN_720, type: 'HALF' })
  fee = await claimed(product, holder, { plan: PLAN_360, type: 'FULL' })
  nearHash = await holder.payUsdt(`${fee.unpaid_fee_usdt}1`)
  farHash = await holder.payUsdt('77.7')
  await product.settle()
})

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
  admin,
}) => {
  const { page, calls } = await visit({ as: admin, path: at(nearHash) })
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText(fee.code_claim)
  await expect(rows(page)).toContainText('0.0000001 USDT too much')
  await page.getByRole('searchbox').fill(farHash)
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

test('a payment of a wrong amount is shown with all its digits; its holder is told what to do, in both languages', async ({
  visit,
  admin,
}) => {
  const { page } = await visit({ as: holder, path: '/dashboard' })
  const expected = fee.unpaid_fee_usdt
  await expect(
    page.getByText(`${expected}1 USDT arrived instead of ${expected} USDT.`),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Bahasa Indonesia' }).click()
  const inIndonesian = expected.replace('.', ',')
  await expect(
    page.getByText(`${inIndonesian}1 USDT tiba, bukan ${inIndonesian} USDT.`),
  ).toBeVisible()

  const support = await visit({ as: admin, path: `/admin/cases/${fee.code_claim}` })
  await expect(support.page.getByRole('region', { name: 'Payments' })).toContainText(
    `${expected}1 USDT`,
  )
})

test('a payment is marked as refunded only once its return is announced, with its hash, and leaves the list', async ({
  visit,
  admin,
  product,
}) => {
  await product.give(admin.account, { usdt: '77.7', bnb: '1' })
  const refund = await admin.payUsdt('77.7', holder.account.bsc_address)
  await product.settle()
  const { page, calls } = await visit({ as: admin, path: at(farHash) })
  await rows(page).getByRole('button', { name: 'Mark refunded' }).click()
  const modal = dialog(page, 'Mark the payment as refunded')
  const confirm = modal.getByRole('button', { name: 'Mark refunded' })
  await expect(confirm).toBeDisabled()
  await expect(modal.getByLabel('Transaction hash of the refund')).toHaveCount(0)
  await modal.getByRole('button', { name: 'I am sending it back now' }).click()
  await expect(modal.getByText(holder.account.bsc_address, { exact: false })).toBeVisible()
  // Elsewhere, the return cannot be announced again, nor can the payment be attached unseen.
  const attempt = 'ab'.repeat(16)
  const [{ tx_hash, log_index }] = (
    await admin.call<Payments>('GET', `${LIST}?state=unmatched&search=${farHash}`)
  ).payments as [Payments['payments'][number]]
  const again = { attempt, step: `refund:${tx_hash}:${log_index}`, told: [] }
  expect(await admin.call('POST', '/api/admin/money-steps', again)).toMatchObject({
    ...{ is_granted: false, may_confirm: false },
  })
  await modal.getByLabel('Transaction hash of the refund').fill(refund.slice(1))
  await confirm.click()
  await expect(modal.getByRole('alert')).toContainText('0x and 64 hex digits')
  expect(callsOf(calls, 'POST', `${LIST}/refunded`)).toEqual([])
  await modal.getByLabel('Transaction hash of the refund').fill(refund)
  await modal.getByLabel('Note').fill('Sent back on request')
  await modal.getByRole('button', { name: 'Mark refunded' }).click()
  await expect(toast(page, 'The payment is marked as refunded.')).toBeVisible()
  await expect(page.getByText('No payment found.')).toBeVisible()
  await choice(page, 'State').selectOption('Refunded')
  await expect(rows(page)).toContainText(`Refunded by ${refund}. Sent back on request`)
  const handler = rows(page).getByRole('paragraph').filter({ hasText: 'Handled by' })
  await expect(handler.getByTitle(admin.address)).toBeVisible()
  await expect(handler.getByRole('button', { name: /^Copy/ })).toBeVisible()
  const { payments } = await admin.call<Payments>('GET', `${LIST}?state=refunded&search=${farHash}`)
  expect(payments).toMatchObject([{ tx_hash: farHash, state: 'refunded' }])
})

test('a payment is attached to a fee, which then counts as paid; an unknown code is refused', async ({
  visit,
  admin,
  product,
}) => {
  const { page } = await visit({ as: admin, path: at(nearHash), tolerates: FAILED_CALLS })
  await rows(page).getByRole('button', { name: 'Attach' }).click()
  const modal = dialog(page, 'Attach the payment to a fee')
  await expect(fact(modal, 'Difference')).toHaveText('0.0000001 USDT too much')
  await modal.getByLabel('Claim code').fill('NO-SUCH-CLAIM')
  await modal.getByRole('button', { name: 'Attach' }).click()
  await expect(modal.getByRole('alert')).toHaveText('There is no such claim.')
  await modal.getByLabel('Claim code').fill(fee.code_claim)
  await modal.getByRole('button', { name: 'Attach' }).click()
  await expect(toast(page, `The payment is attached to ${fee.code_claim}.`)).toBeVisible()
  await expect(page.getByText('No payment found.')).toBeVisible()
  await product.settle()
  const fees = await holder.pendingFees()
  expect(fees.filter((one) => one.earning_plan_code === 'PLAN-360' && !one.is_paid)).toEqual([])
})

const PAYOUTS = '/admin/operations?tab=payouts'
const payouts = (page: Page) =>
  page.getByRole('table', { name: 'Payouts', exact: true }).locator('tbody tr.data-table__row')

test('payouts are listed by state and chain, with their senders', async ({ visit, admin }) => {
  const { page, calls } = await visit({ as: admin, path: PAYOUTS })
  const receiver = page.locator(`[title="${holder.address}"]`)
  const paid = payouts(page).filter({ has: receiver }).first()
  await expect(paid).toContainText('Paid')
  await expect(paid.getByRole('link')).toHaveCount(3)
  const [claim] = await paid.getByRole('link', { name: /^CL-[0-9A-F]{16}: sent/ }).all()
  await claim?.click()
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

type List = { payouts: Record<string, unknown>[] }
const shownAs = (facts: object) => (list: List) => ({
  ...list,
  payouts: list.payouts.slice(0, 1).map((payout) => ({ ...payout, ...facts })),
})

test('a payout that waits shows its reason, and is retried only when the service agrees', async ({
  visit,
  admin,
}) => {
  const { page, calls } = await visit({
    as: admin,
    path: PAYOUTS,
    tolerates: FAILED_CALLS,
    before: (fresh) =>
      alter(
        fresh,
        '/api/admin/payouts',
        shownAs({
          ...{ state: 'waiting', wait_reason: 'REVERTED', wait_text: 'It reverted twice.' },
          ...{ failures: 2, attempts: 2 },
        }),
      ),
  })
  await expect(payouts(page).first()).toContainText('It reverted twice.')
  await expect(payouts(page).first()).toContainText(
    '2 transactions signed so far, 2 failed on chain',
  )
  await payouts(page).getByRole('button', { name: 'Try again' }).click()
  const modal = dialog(page, 'Retry the payout')
  await expect(modal).toContainText('It cannot be paid twice')
  await modal.getByRole('button', { name: 'Try again' }).click()
  // The payout was paid long ago, so nothing is retried.
  await expect(modal.getByRole('alert')).toHaveText(
    'This payout is not held: it continues automatically.',
  )
  expect(callsOf(calls, 'POST', '/api/admin/payouts/retry')).toHaveLength(1)
})

test('a waiting payout shows why it waits, and is held only if a reason is given', async ({
  visit,
  admin,
}) => {
  const waiting = {
    ...{ state: 'waiting', wait_reason: 'NO_TRX', tx_hash: null },
    ...{ wait_text: 'The operator does not have enough TRX or energy.' },
    waiting_since: '2026-01-31T03:00:00.000Z',
  }
  const { page, calls } = await visit({
    as: admin,
    path: PAYOUTS,
    tolerates: FAILED_CALLS,
    before: (fresh) => alter(fresh, '/api/admin/payouts', shownAs(waiting)),
  })
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
  admin,
}) => {
  const call = {
    ...{ id: '999999', kind: 'openPlan', subject: 'plan:PLAN-90', state: 'waiting', failures: 2 },
    ...{ wait_text: 'It failed twice.', created_at: '2026-01-31T03:00:00.000Z' },
  }
  const { page, calls } = await visit({
    as: admin,
    path: PAYOUTS,
    tolerates: FAILED_CALLS,
    before: (fresh) =>
      alter(fresh, '/api/admin/operator-calls', () => ({ operator_calls: [call] })),
  })
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
