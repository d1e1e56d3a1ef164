import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { joined } from '../support/scenes.ts'
import { untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

let holder: OutsideHolder
test.beforeAll(async ({ product }) => {
  holder = await product.holder()
  await joined(product, holder)
})

test('on a device in another zone, the day that a list shows can be typed as its filter, and adds no entry to the history of the browser', async ({
  visit,
}) => {
  const { page } = await visit({
    as: holder,
    wallet: 'absent',
    path: '/activity',
    context: { timezoneId: 'America/St_Johns' },
  })
  const instants = page.getByRole('main').locator('time[datetime*="T"]')
  const at = new Date((await instants.first().getAttribute('datetime')) ?? '')
  const [year = '', month = '', day = ''] = businessDay(at).split('-')
  await expect(instants.first()).toContainText(new RegExp(`^${Number(day)} .* ${year}`))
  const rows = await instants.count()
  const entries = await page.evaluate(() => history.length)

  for (const name of ['Start Date', 'End Date']) {
    await page.getByLabel(name).focus()
    for (const digit of month + day + year) await page.keyboard.press(digit)
    await expect(page.getByLabel(name)).toHaveValue(`${year}-${month}-${day}`)
  }
  await expect(page).toHaveURL(`/activity?from=${year}-${month}-${day}&to=${year}-${month}-${day}`)
  await untilLoaded(page)
  await expect(instants).toHaveCount(rows)
  expect(await page.evaluate(() => history.length)).toBe(entries)
})

test('impossible values in the address of a page are ignored', async ({ visit, admin }) => {
  const asHolder = await visit({ as: holder, wallet: 'absent' })
  for (const path of [
    '/activity?from=0000-01-01&to=9999-12-31&after=evil&before=1-2&kind=evil&order=up&rewards=%E0%A4%A',
    `/activity?plan=${'x'.repeat(300)}&from=2026-02-30`,
    '/dashboard?tab=evil&fees.page=1e99&fees.sort=evil&fees.sort=deadline&fees.search=%00',
    '/referrals?downline.page=-1&downline.sort=evil&rewards.from=275760-09-13&claims.page=abc&tab=',
    '/user?%E0%A4%A#%E0%A4%A',
  ]) {
    await open(asHolder.page, path)
  }
  const asAdmin = await visit({ as: admin, wallet: 'absent' })
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
    await open(asAdmin.page, path)
  }
})

test('where the browser does not allow copying, the text is shown selected', async ({ visit }) => {
  const { page } = await visit({
    as: holder,
    wallet: 'absent',
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

/** Opens a page; a request that the service refuses would be reported on the console, which fails the test. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await untilLoaded(page)
}

/** The calendar day of an instant in UTC+7. */
function businessDay(instant: Date): string {
  return new Date(instant.getTime() + 7 * 3_600_000).toISOString().slice(0, 10)
}
