import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { startDeployment } from '../support/deployment.ts'
import { joined } from '../support/scenes.ts'
import { expect, test } from '../support/test.ts'

/** What the browser logs for requests made while offline. */
const UNREACHABLE = /ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch/
const APP = { hasServiceWorker: true, tolerates: UNREACHABLE }

let holder: OutsideHolder
test.beforeAll(async ({ product }) => {
  holder = await product.holder()
  await joined(product, holder)
  await product.advance(5)
})

/** Waits until the app has been cached on this device, and reloads, as on the next visit. */
async function nextVisit(page: Page): Promise<void> {
  await page.evaluate(async () => void (await navigator.serviceWorker.ready))
  await page.reload()
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
    .toBe(true)
}

test('the app can be installed under its brand, with its icons', async ({ visit }) => {
  const { page } = await visit({ ...APP, path: '/login' })
  await nextVisit(page)
  const devtools = await page.context().newCDPSession(page)
  const { errors, data } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const manifest = JSON.parse(data ?? '')
  expect(manifest).toMatchObject({ name: 'DCT Earning', start_url: '/', display: 'standalone' })
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  expect(installabilityErrors).toEqual([])
  for (const { src, sizes } of manifest.icons) {
    const size = await page.evaluate(async (address) => {
      const { width, height } = await createImageBitmap(await (await fetch(address)).blob())
      return `${width}x${height}`
    }, src)
    expect(size).toBe(sizes)
  }
})

test('the app opens without a connection and says so, caches no reply of the service, and sends nothing later', async ({
  visit,
}) => {
  const { page, calls } = await visit({ ...APP, as: holder, path: '/dashboard' })
  await nextVisit(page)
  const panel = page.getByRole('tabpanel', { name: 'My Earnings' })
  await expect(panel.getByRole('article', { name: 'PLAN-720' })).toBeVisible()
  const cached = await page.evaluate(async () => {
    const requests = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    )
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(cached).toContain('/')
  expect(cached.filter((path) => !/^\/($|assets\/|theme\.js$|favicon\.svg$)/.test(path))).toEqual(
    [],
  )

  await page.context().setOffline(true)
  await page.goto('/dashboard?tab=claim')
  const banner = page.getByText('Nothing can be sent until you are online again.')
  await expect(banner).toBeVisible()
  await page.goto('/transparency')
  await expect(banner).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.goto('/dashboard')
  await expect(banner).toBeVisible()

  await page.context().setOffline(false)
  await expect(panel.getByRole('article', { name: 'PLAN-720' })).toBeVisible()
  await expect(banner).toBeHidden()
  const sent = calls.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/'))
  expect(sent).toEqual([])
})

test('a press without a connection on a later visit is refused immediately and never sent', async ({
  visit,
}) => {
  const { page, calls } = await visit({ ...APP, as: holder, path: '/dashboard?tab=claim' })
  await nextVisit(page)
  await page.getByRole('button', { name: 'Claim Half' }).click()
  await page.context().setOffline(true)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText('You are offline. This request was not sent.')).toBeVisible()
  await page.context().setOffline(false)
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/health'))
  await page.evaluate(() => fetch('/api/health'))
  await answered
  expect(calls.filter(({ path }) => path.endsWith('/user/claim'))).toEqual([])
})

test('a new version takes effect with the next load; until then an open page keeps its code and what was typed', async ({
  visit,
  product,
}) => {
  const deployment = await startDeployment(product.url)
  try {
    const { page } = await visit({ ...APP, path: `${deployment.url}/register` })
    await nextVisit(page)
    await page.waitForResponse(/installed-app-/)
    const email = page.getByRole('textbox', { name: 'E-mail' })
    await email.fill('eka@example.org')
    await deployment.rename([/\/assets\/index-[\w-]+\.js/, /\/assets\/terms-dialog-[\w-]+\.js/])
    const offer = page.getByText('A new version of this app is ready.')
    await expect(async () => {
      // As when the user returns to the page.
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      await expect(offer).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await page.getByRole('button', { name: 'Read the terms and conditions' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(email).toHaveValue('eka@example.org')

    const entry = page.locator('script[src$="-next.js"]')
    await expect(entry).not.toBeAttached()
    await page.getByRole('button', { name: 'Reload', exact: true }).click()
    await expect(entry).toBeAttached()
    await expect(email).toBeVisible()
    await expect(offer).toBeHidden()
  } finally {
    await deployment.stop()
  }
})

test('behind a proxy that answers 502 or a code of its own, the app opens and says that the service cannot be reached', async ({
  visit,
  product,
}) => {
  const deployment = await startDeployment(product.url)
  try {
    const tolerates = /Failed to load resource|preload/
    const { page } = await visit({ ...APP, tolerates, path: `${deployment.url}/login` })
    await nextVisit(page)
    for (const status of [502, 521]) {
      deployment.stopService(status)
      await page.reload()
      await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
      await expect(page.getByText(`${status}`)).toHaveCount(0)
      await expect(page.getByText('The service cannot be reached at the moment.')).toBeVisible()
    }
  } finally {
    await deployment.stop()
  }
})
