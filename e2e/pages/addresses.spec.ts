import type { Page } from '@playwright/test'
import { untilLoaded } from '../support/screens.ts'
import { expect, test } from './support/test.ts'

/** Opens a page; a request that the service refuses would be reported on the console, which fails the test. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await untilLoaded(page)
}

test('impossible values in the address of a holder’s page are ignored, and those that no page has disappear', async ({
  visit,
}) => {
  const { page } = await visit({ as: 'user', path: '/dashboard' })
  for (const path of [
    '/activity?from=0000-01-01&to=9999-12-31&after=evil&before=1-2&kind=evil&order=up&rewards=%E0%A4%A',
    `/activity?plan=${'x'.repeat(300)}&from=2026-02-30`,
    '/dashboard?tab=evil&fees.page=1e99&fees.sort=evil&fees.sort=deadline&fees.search=%00',
    '/referrals?downline.page=-1&downline.sort=evil&rewards.from=275760-09-13&claims.page=abc&tab=',
    '/user?%E0%A4%A#%E0%A4%A',
  ]) {
    await open(page, path)
  }
  for (const [opened, shown] of [
    ['/dashboard?tab=nonsense', '/dashboard'],
    ['/dashboard?tab=claim&tab=nonsense&ref=x', '/dashboard?ref=x'],
    ['/activity?kind=nonsense&order=sideways&from=0000-01-01&after=%00', '/activity'],
    ['/activity?kind=claims&to=2026-02-30', '/activity?kind=claims'],
  ] as const) {
    await page.goto(opened)
    await expect(page).toHaveURL(shown)
  }
})

test('impossible values in the address of an admin’s page are ignored, and those that no page has disappear', async ({
  visit,
}) => {
  const { page } = await visit({ as: 'admin', path: '/admin/dashboard' })
  for (const path of [
    `/admin/dashboard?tab=users&user-sort=evil&user-page=100001&user-search=${'x'.repeat(300)}`,
    '/admin/dashboard?tab=transactions&tx-from=2026-02-02&tx-to=2026-02-01',
    '/admin/operations?tab=payouts&out-state=evil&out-chain=evil&out-order=up',
    '/admin/control?tab=log&log-action=%00&log-from=-2026-01-01',
    '/admin/control?tab=close&day=0000-01-01&close-page=0',
    '/admin/control?tab=terms&consents-version=evil',
    `/admin/reward-history?sort=evil&plan=${'x'.repeat(300)}`,
    '/admin/referral-claim-pool?tab=evil&page=99999999999999999999',
  ]) {
    await open(page, path)
  }
  for (const [opened, shown] of [
    ['/admin/dashboard?tab=nonsense', '/admin/dashboard'],
    [
      '/admin/operations?tab=payments&pay-state=nonsense&pay-page=-1',
      '/admin/operations?tab=payments',
    ],
    [
      '/admin/claim-history?page=1e9&sort=password&order=up&from=10000-01-01',
      '/admin/claim-history',
    ],
  ] as const) {
    await page.goto(opened)
    await expect(page).toHaveURL(shown)
  }
})

test('where the browser does not allow copying, the text is shown selected', async ({ visit }) => {
  const { page } = await visit({
    as: 'user',
    path: '/referrals',
    before: (opened) =>
      opened.addInitScript(() =>
        Object.defineProperty(navigator, 'clipboard', { value: undefined }),
      ),
  })
  await page.getByRole('button', { name: 'Copy Link', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Copy Link' })
  await expect(dialog).toContainText('The text is selected')
  const field = dialog.getByRole('textbox', { name: 'Copy Link' })
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(/\/register\?ref=[A-Z2-9]{8}$/)
  const selected = await field.evaluate((box: HTMLTextAreaElement) =>
    box.value.slice(box.selectionStart, box.selectionEnd),
  )
  await expect(field).toHaveValue(selected)
})
