import { launchBrowser } from '../support/browser.ts'
import { walkAsHolder } from '../support/main-walk.ts'
import { removeNewerBuiltins } from '../support/old-browser.ts'
import { openVisit } from '../support/open-visit.ts'
import { fillJoin, joinForm, joinReview, tab, untilLoaded } from '../support/screens.ts'
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

test('a browser that is too old is told so in both languages, and nothing else happens', async ({
  visit,
}) => {
  const { page } = await visit({
    before: (fresh) =>
      fresh.addInitScript(() => Reflect.deleteProperty(window, 'CSSLayerBlockRule')),
  })
  await expect(page.getByText('This browser is too old for this app.')).toBeVisible()
  await expect(page.getByText('Peramban ini terlalu lama untuk aplikasi ini.')).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(0)
})

test('a page whose code does not arrive says so', async ({ visit }) => {
  const { page } = await visit({
    tolerates: /Failed to load|ERR_FAILED/,
    before: (fresh) => fresh.route('**/assets/base-*.js', (route) => route.abort()),
  })
  await expect(page.getByText('This page could not be loaded.')).toBeVisible()
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

test('an extension that wraps or replaces elements of the page costs nobody the page, nor what was typed', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const { page } = await visit({ as: holder, path: '/dashboard' })
  await tab(page, 'Join Earning Plan').click()
  await fillJoin(page, { plan: 'PLAN-720', amount: '10' })
  await page.evaluate(() => {
    for (const element of document.querySelectorAll('main section, main p, main form, main dl')) {
      const wrapper = document.createElement('ext-wrapper')
      element.replaceWith(wrapper)
      wrapper.append(element)
    }
  })
  await fillJoin(page, { plan: 'PLAN-360', amount: '12' })
  await tab(page, 'My Earnings').click()
  await expect(page.getByRole('tab', { name: 'My Earnings', selected: true })).toBeVisible()
  await tab(page, 'Join Earning Plan').click()
  await fillJoin(page, { plan: 'PLAN-720', amount: '15' })

  await page.evaluate(() => {
    // As converters of currencies rewrite a page: every element becomes another one, which looks the same.
    const main = document.querySelector('main')
    main?.replaceWith(main.cloneNode(true))
  })
  await expect(joinForm(page).amount).toHaveValue('15')
  await page.evaluate(() => {
    document.body.replaceChildren(...document.body.cloneNode(true).childNodes)
  })
  await expect(joinForm(page).amount).toHaveValue('15')
  await tab(page, 'My Earnings').click()
  await expect(page.getByRole('tab', { name: 'My Earnings', selected: true })).toBeVisible()
})

test('an extension that rewrites an open dialog leaves no copy of it that holds the page', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  const { page } = await visit({ as: holder, path: '/dashboard?tab=join' })
  const form = joinForm(page)
  for (const rewritten of ['.dialog-scrim', '.dialog__body', 'body']) {
    await fillJoin(page, { plan: 'PLAN-360', amount: '12' })
    await form.join.click()
    await expect(joinReview(page).confirm).toBeVisible()
    await page.locator(rewritten).evaluate((element) => {
      element.replaceChildren(...element.cloneNode(true).childNodes)
      if (element !== document.body) element.replaceWith(element.cloneNode(true))
    })
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(form.amount).toHaveValue('12')
  }
})

test('other code that removes its own elements, even twice, changes nothing of the page', async ({
  visit,
}) => {
  const { page } = await visit()
  await page.locator('main').evaluate((main) => main.setAttribute('data-is-first', ''))
  const answers = await page.evaluate(() => {
    const nameOf = (act: () => void) => {
      try {
        return void act()
      } catch (thrown) {
        return (thrown as Error).name
      }
    }
    const frame = document.createElement('iframe')
    const removed = document.createElement('i')
    document.body.appendChild(frame)
    document.body.appendChild(removed)
    removed.remove()
    return [
      nameOf(() => document.body.removeChild(frame)),
      nameOf(() => document.body.removeChild(frame)),
      nameOf(() => document.body.insertBefore(removed, frame)),
    ]
  })
  expect(answers).toEqual([undefined, 'NotFoundError', 'NotFoundError'])
  await untilLoaded(page)
  await expect(page.locator('main[data-is-first]')).toBeVisible()
})

test('what no page has disappears from an opened address, and the rest stays', async ({
  visit,
  product,
  admin,
}) => {
  const holder = await product.holder()
  const { page } = await visit({ as: holder })
  for (const [opened, shown] of [
    ['/dashboard?tab=nonsense', '/dashboard'],
    ['/dashboard?tab=claim&tab=nonsense&ref=x', '/dashboard?ref=x'],
    ['/activity?kind=nonsense&order=sideways&from=0000-01-01&after=%00', '/activity'],
    ['/activity?kind=claims&to=2026-02-30', '/activity?kind=claims'],
  ]) {
    await page.goto(opened ?? '')
    await expect(page).toHaveURL(new URL(shown ?? '', product.url).href)
  }
  const office = (await visit({ as: admin })).page
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
  ]) {
    await office.goto(opened ?? '')
    await expect(office).toHaveURL(new URL(shown ?? '', product.url).href)
  }
})
