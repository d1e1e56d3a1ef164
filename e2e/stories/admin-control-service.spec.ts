import type { Page } from '@playwright/test'
import { callsOf, queryOf } from '../support/calls.ts'
import { dismissToast, fact, part, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// Setting the price affects everybody, so these tests have their own product.
test.use({ productName: 'another price' })

const at = (tab: string) => `/admin/control?tab=${tab}`
const rows = (page: Page, table: string) =>
  page.getByRole('table', { name: table, exact: true }).locator('tbody tr.data-table__row')

test('an admin learns that no channel is set up, requests an audit and sees the result of each check', async ({
  visit,
  admin,
}) => {
  const runs = () => admin.call<{ total: number }>('GET', '/api/admin/ledger-audits')
  const { page } = await visit({ as: admin, path: at('health') })
  // The product in these tests has no channels.
  const messages = part(page, 'Outgoing messages')
  await messages.getByRole('button', { name: 'Send a test message' }).click()
  await expect(messages.getByRole('status')).toContainText('No channel is set up')
  const audits = rows(page, 'Audits of the books')
  // The first audit runs automatically soon after the start.
  await expect.poll(async () => (await runs()).total, { timeout: 60_000 }).toBeGreaterThan(0)
  const { total } = await runs()
  await part(page, 'Audits of the books')
    .getByRole('button', { name: 'Audit open items now' })
    .click()
  await expect(toast(page, 'The audit begins in a moment.')).toBeVisible()
  await expect.poll(async () => (await runs()).total, { timeout: 60_000 }).toBeGreaterThan(total)
  await expect(audits.first()).toContainText('Open items')
  await expect(audits.first()).toContainText('Passed')
  await audits.first().getByRole('button', { name: 'Checks' }).click()
  const dialog = page.getByRole('dialog', { name: /^Audit of / })
  await expect(dialog).toContainText('every USDT receipt is booked')
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('Full')
  await expect(audits.first()).toContainText('Full')
  await page.getByRole('button', { name: 'Bahasa Indonesia' }).click()
  await rows(page, 'Audit pembukuan').first().getByRole('button', { name: 'Pemeriksaan' }).click()
  await expect(page.getByRole('dialog')).toContainText('setiap penerimaan USDT sudah dibukukan')
})

const price = (page: Page) => part(page, 'Price of DCT')

async function setPrice(page: Page, typed: string) {
  await price(page).getByLabel('New price (USDT for one DCT)').fill(typed)
  await price(page).getByRole('button', { name: 'Set the price' }).click()
}
const present = (page: Page) => fact(price(page), 'Price')
const modal = (page: Page) => page.getByRole('dialog', { name: 'Set the price of DCT' })

test('the old and the new price are confirmed before the price is set, even a large step by a sole admin; the history shows who set it, and so for the fee settings', async ({
  visit,
  admin,
}) => {
  const { page, calls } = await visit({ as: admin, path: at('price') })
  await expect(present(page)).toHaveText('1.000000 USDT')
  await setPrice(page, '1,2,3')
  await expect(price(page).getByRole('alert')).toContainText('at most 8 decimals')
  await setPrice(page, '0.00001')
  await expect(price(page).getByRole('alert')).toContainText('must be between')
  expect(callsOf(calls, 'POST', '/api/admin/money-settings')).toEqual([])

  await setPrice(page, '1,1')
  await expect(fact(modal(page), 'Change')).toHaveText('+10.00%')
  await modal(page).getByRole('button', { name: 'Cancel' }).click()
  expect(callsOf(calls, 'POST', '/api/admin/money-settings')).toEqual([])
  await setPrice(page, '1.1')
  await modal(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, 'The price is set.')).toBeVisible()
  await dismissToast(page, 'The price is set.')
  await expect(present(page)).toHaveText('1.100000 USDT')
  const newest = rows(page, 'History of prices and fee settings').first()
  await expect(newest).toContainText('1.100000 USDT')
  await expect(newest.locator(`[title="${admin.address}"]`)).toBeVisible()
  const fees = part(page, 'Fee settings')
  await expect(fact(fees, 'Fee of a claim')).toContainText(/^40(\.00)?% of the claimed amount/)
  await expect(fact(fees, 'Energy fee')).toHaveText('0.100000 USDT')

  for (const [typed, shown] of [
    ['0,006', '0.006000 USDT'],
    // The other tests of this product expect this one.
    ['0.005', '0.005000 USDT'],
  ] as const) {
    await fees.getByRole('button', { name: 'Change a value' }).click()
    const change = page.getByRole('dialog', { name: 'Change a value' })
    await change.getByRole('combobox', { name: 'Value' }).selectOption('Our cost of one TRX')
    await change.getByLabel('New value (USDT)').fill(typed)
    await change.getByRole('button', { name: 'Confirm' }).click()
    await expect(toast(page, 'The value is set.')).toBeVisible()
    await dismissToast(page, 'The value is set.')
    await expect(fact(fees, 'Our cost of one TRX')).toHaveText(shown)
    await expect(newest).toContainText(shown)
  }

  await setPrice(page, '1.65')
  await expect(fact(modal(page), 'Change')).toHaveText('+50.00%')
  await expect(modal(page)).not.toContainText('another admin')
  await modal(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, 'The price is set.')).toBeVisible()
  await expect(present(page)).toHaveText('1.650000 USDT')
  // The other tests of this product expect a price of 1 USDT.
  await setPrice(page, '1')
  await modal(page).getByRole('button', { name: 'Confirm' }).click()
  await expect(present(page)).toHaveText('1.000000 USDT')
})

test('a sole admin can set a high percentage', async ({ visit, admin, product }) => {
  const holder = await product.holder()
  const path = `/admin/dashboard?tab=users&user-search=${holder.address}`
  const { page } = await visit({ as: admin, path })
  await page.getByRole('button', { name: 'Edit %' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit Reward Percentage' })
  await edit.getByRole('textbox').fill('60')
  await edit.getByRole('button', { name: 'Save', exact: true }).click()
  const confirm = page.getByRole('dialog', { name: 'Confirm Update' })
  await expect(confirm.getByText('Users whose fees are shared')).toBeVisible()
  await expect(confirm).not.toContainText('another admin')
  await confirm.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(toast(page, 'The referral reward percentage has been set.')).toBeVisible()
  await expect(fact(page.locator('body'), 'Reward %').first()).toHaveText('60.00%')
})

test('the log shows who did what and from where, with old and new values, and can be filtered', async ({
  visit,
  admin,
  product,
}) => {
  const { address } = await product.holder()
  await admin.call('PUT', '/api/admin/update-referral-reward', {
    ...{ target_tron_address: address, referral_reward_percentage: '7' },
  })
  await admin.call('POST', '/api/admin/money-settings', { name: 'price', value: '1.05' })
  await admin.call('POST', '/api/admin/money-settings', { name: 'price', value: '1' })
  const { page, calls } = await visit({ as: admin, path: at('log') })
  const entries = rows(page, 'Admin actions')
  const newest = entries.first()
  await expect(newest.getByTitle('price.set')).toHaveText('Price set')
  await expect(newest).toContainText('Price (USDT): 1.050000')
  await expect(newest).toContainText('Price (USDT): 1.000000')
  await expect(newest).toContainText('127.0.0.1')
  await expect(newest.locator(`[title="${admin.address}"]`)).toBeVisible()

  await page.getByRole('combobox', { name: 'Action', exact: true }).selectOption('price.set')
  const search = part(page, 'Admin actions').getByRole('searchbox')
  for (const text of ['DCT', admin.address]) {
    await search.fill(text)
    await expect
      .poll(() => queryOf(callsOf(calls, 'GET', '/api/admin/log').at(-1)))
      .toMatchObject({ action: 'price.set', search: text })
  }
  await expect(entries.first()).toContainText('Price set')
  await page.getByLabel('End Date').fill('2020-01-02')
  await expect(page.getByText('No entry found.')).toBeVisible()

  await page.goto(`${at('log')}&log-search=${address}`)
  await expect(entries).toHaveCount(1)
  await expect(entries).toContainText('Reward percentage set')
  await expect(entries.getByTitle(address)).toBeVisible()
})
