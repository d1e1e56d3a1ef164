import type { Page } from '@playwright/test'
import type { OutsideHolder, PendingFee } from '../outside/outside-client.ts'
import { callsOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
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
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

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
  const again = { attempt, step: `refund:${tx_hash}:${log_index}`, known: [] }
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
