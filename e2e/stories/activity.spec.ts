import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { breakDown, FAILED_CALLS, restore } from '../support/provoke.ts'
import { claimed, joined, paid } from '../support/scenes.ts'
import { expect, test } from '../support/test.ts'

/** Has 24 cycles in two months or more, and a claim whose fee is paid. */
let holder: OutsideHolder
let feeHash: string
test.beforeAll(async ({ product }) => {
  holder = await product.holder()
  await joined(product, holder)
  await product.advance(12)
  feeHash = await paid(product, holder, await claimed(product, holder, { type: 'HALF' }))
  await product.advance(12)
})

const history = (page: Page) => page.getByRole('region', { name: 'Your history' })
const items = (page: Page) => history(page).getByRole('listitem')
/** Not always the oldest item: a block's time has no fraction, so a lock in the same second comes first. */
const registration = (page: Page) => items(page).filter({ hasText: 'You registered' })

test('the activity page lists everything that happened, and the URL contains its filters and page', async ({
  visit,
}) => {
  const { page } = await visit({ as: holder, wallet: 'absent', path: '/dashboard' })
  await page.getByRole('link', { name: 'Activity' }).click()
  await expect(items(page).first()).toContainText('Reward of')
  await expect(registration(page)).toBeVisible()
  const fee = items(page).filter({ hasText: 'Fee paid' })
  await expect(fee).toContainText(/sent −\d/)
  await expect(fee.getByRole('link')).toHaveAttribute('href', new RegExp(feeHash))

  const filter = (name: string) => history(page).getByRole('combobox', { name, exact: true })
  await filter('Rewards').selectOption('Day by day')
  await expect(items(page)).toHaveCount(20)
  const newest = await items(page).first().innerText()
  await history(page).getByRole('button', { name: 'Next' }).click()
  await expect(registration(page)).toBeVisible()
  await page.reload()
  await expect(registration(page)).toBeVisible()
  await history(page).getByRole('button', { name: 'Prev' }).click()
  await expect.poll(() => items(page).first().innerText()).toBe(newest)

  await filter('Show').selectOption('Payments to and from me')
  await expect(items(page)).toHaveCount(4)
  await expect(page).toHaveURL(/\?rewards=daily&kind=payments$/)
  await history(page).getByLabel('End Date').fill('2020-01-01')
  await expect(history(page)).toContainText('Nothing happened that fits these filters.')
  await history(page).getByRole('button', { name: 'Reset filters' }).click()
  await expect(items(page)).toHaveCount(20)
})

test('the files of a history contain what its filters show', async ({ visit }) => {
  const { page } = await visit({ as: holder, wallet: 'absent', path: '/activity?kind=claims' })
  const save = async (name: string) => {
    const downloading = page.waitForEvent('download')
    await history(page).getByRole('button', { name, exact: true }).click()
    const download = await downloading
    const text = await readFile(await download.path(), 'utf8')
    return { name: download.suggestedFilename(), lines: text.trim().split('\r\n') }
  }
  const all = await save('CSV')
  expect(all.name).toMatch(/^history-\d{4}-\d\d-\d\d\.csv$/)
  // The claim, its fee and its two halves.
  expect(all.lines).toHaveLength(5)
  const koinly = await save('Koinly')
  expect(koinly.name).toMatch(/^history-koinly-/)
  expect(koinly.lines.filter((line) => line.includes(feeHash))).toHaveLength(1)
  // A tax program needs every payment, the capital included.
  expect(koinly.lines).toHaveLength(5)
})

test('a history that cannot be loaded shows a message, and a retry loads it', async ({ visit }) => {
  const { page } = await visit({
    as: holder,
    wallet: 'absent',
    path: '/activity',
    tolerates: FAILED_CALLS,
    before: (opened) => breakDown(opened, '/api/user/history'),
  })
  const failed = history(page).getByText('Your history could not be loaded.')
  await expect(failed).toBeVisible()
  await restore(page)
  await history(page).getByRole('button', { name: 'Try again' }).click()
  await expect(registration(page)).toBeVisible()
})
