import { launchBrowser } from '../support/browser.ts'
import { walkAsHolder } from '../support/main-walk.ts'
import { removeNewerBuiltins } from '../support/old-browser.ts'
import { openVisit } from '../support/open-visit.ts'
import { breakStorage } from '../support/storage-faults.ts'
import { expect, test } from '../support/test.ts'

for (const fault of ['blocked', 'full'] as const) {
  test(`with storage that is ${fault}, a holder logs in, locks tokens and opens every page, and is told what is not kept`, async ({
    visit,
    product,
  }) => {
    const holder = await product.holder()
    const { page } = await visit({
      as: holder,
      isSignedIn: false,
      before: (fresh) => breakStorage(fresh, fault),
    })
    const unkept = page.getByText('you must log in again after a reload')
    await expect(unkept).toBeVisible()
    await walkAsHolder(page)
    await expect(unkept).toBeVisible()
    await page.reload()
    await expect(page).toHaveURL(/\/login$/)
  })
}

test('with the built-ins of the oldest supported browsers, a holder logs in, locks tokens and opens every page', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const { page } = await visit({ as: holder, isSignedIn: false, before: removeNewerBuiltins })
  const isOld = () => !('groupBy' in Map && /native code/.test(String(Map.groupBy)))
  expect(await page.evaluate(isOld)).toBe(true)
  await walkAsHolder(page)
})

test('on a plain http address the page works and says that https is needed', async ({
  product,
}) => {
  const name = 'earn.lan'
  const browser = await launchBrowser([`--host-resolver-rules=MAP ${name} 127.0.0.1`])
  const url = product.url.replace(/127\.0\.0\.1|localhost/, name)
  const { page, complaints } = await openVisit(
    { browser, url },
    { context: { permissions: [] }, tolerates: /Cross-Origin-Opener-Policy/ },
  )
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  await expect(page.getByText('Open this page with https')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
  await page.goto('/status')
  await expect(page.getByText('Open this page with https')).toBeVisible()
  expect(complaints).toEqual([])
  await browser.close()
})

test('a browser that wrongly reports no connection is not believed', async ({ visit, product }) => {
  const holder = await product.holder()
  const { page } = await visit({
    as: holder,
    isSignedIn: false,
    before: (fresh) =>
      fresh.addInitScript(() => Object.defineProperty(navigator, 'onLine', { get: () => false })),
  })
  await walkAsHolder(page)
  await expect(page.getByText('You are offline.')).toHaveCount(0)
})
