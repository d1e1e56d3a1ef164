import type { Page } from '@playwright/test'
import { callsOf } from '../support/calls.ts'
import { storedToken, toast, toastArea } from '../support/screens.ts'
import { expect, test } from './support/test.ts'

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const themeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme)
const brightnessOf = (page: Page) =>
  page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d')
    if (!canvas) throw new Error('no canvas')
    canvas.fillStyle = getComputedStyle(document.body).backgroundColor
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data
    return (red + green + blue) / 3
  })

test('[NAV-01, NAV-11, NAV-12] the top bar of a visitor, whose brand links to the start', async ({
  visit,
}) => {
  const { page } = await visit({ path: '/register' })
  await expect(bar(page).getByRole('link')).toHaveText(['Login'])
  await expect(bar(page).getByRole('button')).toHaveCount(0)
  const brand = page.getByRole('banner').getByRole('link', { name: 'DCT Earning' })
  await expect(brand).toHaveAttribute('href', '/')
  await brand.click()
  await expect(page).toHaveURL(/\/login$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/register$/)
  await bar(page).getByRole('link', { name: 'Login' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('for signed-in users the brand links to their start page, and Back closes a dialog before leaving the page', async ({
  visit,
}) => {
  const { page } = await visit({ as: 'user', path: '/user' })
  await page.getByRole('banner').getByRole('link', { name: 'DCT Earning' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  const title = 'What the words mean'
  const about = page.getByRole('navigation', { name: 'About this service' })
  const words = about.getByRole('button', { name: 'Glossary' })
  const dialog = page.getByRole('dialog', { name: title })
  for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
    await words.click()
    await expect(dialog).toBeVisible()
    await page.waitForFunction(() => history.state?.isOfDialog === true)
    await close()
    await expect(dialog).toHaveCount(0)
    await page.waitForFunction(() => history.state?.isOfDialog !== true)
    await expect(page).toHaveURL(/\/dashboard$/)
  }
  await page.goBack()
  await expect(page).toHaveURL(/\/user$/)
})

test('a link pressed just as a dialog closes still leads to its page', async ({ visit }) => {
  const { page } = await visit({ as: 'user', path: '/dashboard' })
  const title = 'What the words mean'
  const about = page.getByRole('navigation', { name: 'About this service' })
  await about.getByRole('button', { name: 'Glossary' }).click()
  await expect(page.getByRole('dialog', { name: title })).toBeVisible()
  await page.waitForFunction(() => history.state?.isOfDialog === true)
  await page.evaluate(() => {
    const back = history.back.bind(history)
    history.back = () => {
      back()
      document.querySelector<HTMLAnchorElement>('nav a[href="/user"]')?.click()
    }
  })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Account')
  await expect(page).toHaveURL(/\/user$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.waitForFunction(() => history.state?.isOfDialog !== true)
})

test('the language chosen in the bar is remembered for the next visit, and English is unchanged', async ({
  visit,
}) => {
  const { page } = await visit({ path: '/login' })
  const title = page.getByRole('heading', { level: 1 })
  await page.getByRole('button', { name: 'Bahasa Indonesia' }).click()
  await expect(title).toHaveText('Masuk dengan Tronlink')
  await page.reload()
  await expect(title).toHaveText('Masuk dengan Tronlink')
  await expect(page.locator('html')).toHaveAttribute('lang', 'id')
  await page.getByRole('button', { name: 'English' }).click()
  await expect(title).toHaveText('Login with Tronlink')
})

test('[NAV-02, NAV-03, NAV-04, NAV-18] the page is dark until the toggle switches the theme, which persists after a reload; the footer shows the year', async ({
  visit,
}) => {
  const { page } = await visit()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('theme'))).toBeNull()
  expect(await themeOf(page)).toBe('dark')
  expect(await brightnessOf(page)).toBeLessThan(64)
  const year = new Date().getFullYear()
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText(`© ${year} Earning System. All rights reserved.`)
  await expect(footer).toContainText('Times are in UTC+7.')

  await page.getByRole('button', { name: 'Switch to the light theme' }).click()
  expect(await themeOf(page)).toBe('light')
  await expect.poll(() => brightnessOf(page)).toBeGreaterThan(190)
  expect(await page.evaluate(() => Object.values(localStorage))).toContain('light')

  await page.reload()
  await expect(page.getByRole('button', { name: 'Switch to the dark theme' })).toBeVisible()
  expect(await themeOf(page)).toBe('light')
  expect(await brightnessOf(page)).toBeGreaterThan(190)

  await page.getByRole('button', { name: 'Switch to the dark theme' }).click()
  expect(await themeOf(page)).toBe('dark')
})

test('[NAV-05, NAV-06, NAV-07, NAV-08, NAV-12, NAV-13] the top bar of an admin', async ({
  visit,
}) => {
  const { page } = await visit({ as: 'admin', path: '/admin/dashboard' })
  await expect(bar(page).getByRole('link')).toHaveText([
    'Admin Dashboard',
    'Reward History',
    'Claim History',
    'Referral Claim Approval',
    'Operations',
    'Control',
  ])
  for (const [name, path] of [
    ['Reward History', '/admin/reward-history'],
    ['Claim History', '/admin/claim-history'],
    ['Referral Claim Approval', '/admin/referral-claim-pool'],
    ['Operations', '/admin/operations'],
    ['Control', '/admin/control'],
    ['Admin Dashboard', '/admin/dashboard'],
  ] as const) {
    await bar(page).getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
  }
  await expect(bar(page).getByRole('button', { name: 'Logout' })).toBeVisible()
})

test('[NAV-09, NAV-10, NAV-12, NAV-13] the top bar of a holder', async ({ visit }) => {
  const { page } = await visit({ as: 'user', path: '/user' })
  await expect(bar(page).getByRole('link')).toHaveText(['Dashboard', 'Referral', 'My Account'])
  await bar(page).getByRole('link', { name: 'Dashboard' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await bar(page).getByRole('link', { name: 'Referral' }).click()
  await expect(page).toHaveURL(/\/referrals$/)
  await expect(bar(page).getByRole('button', { name: 'Logout' })).toBeVisible()
})

test('[NAV-17] on a small screen the links are behind a toggle', async ({ visit }) => {
  const { page } = await visit({
    as: 'user',
    path: '/user',
    context: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
  })
  const toggle = page.getByRole('button', { name: 'Menu' })
  const link = bar(page).getByRole('link', { name: 'Referral', exact: true })
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await expect(link).toBeHidden()
  await toggle.tap()
  await expect(toggle).toHaveAttribute('aria-expanded', 'true')
  await expect(link).toBeVisible()
  await toggle.tap()
  await expect(link).toBeHidden()
  await toggle.tap()
  await link.tap()
  await expect(page).toHaveURL(/\/referrals$/)
  await expect(link).toBeHidden()
})

test('the browser’s Back closes the menu of a small screen and stays on the page', async ({
  visit,
}) => {
  const { page } = await visit({
    as: 'user',
    path: '/referrals',
    context: { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true },
  })
  const toggle = page.getByRole('button', { name: 'Menu' })
  const link = (name: string) => bar(page).getByRole('link', { name, exact: true })
  await toggle.tap()
  await link('My Account').tap()
  await expect(page).toHaveURL(/\/user$/)
  // The menu closes once the page is shown, a moment after the URL has changed.
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await toggle.tap()
  await expect(link('Referral')).toBeVisible()
  await expect.poll(() => page.evaluate(() => history.state?.isOfDialog)).toBe(true)
  await page.goBack()
  await expect(toggle).toHaveAttribute('aria-expanded', 'false')
  await expect(page).toHaveURL(/\/user$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/referrals$/)
})

test('[NAV-14, NAV-15, NAV-19, ERR-01, OK-01] logging out; errors and successes appear in one area at the top right', async ({
  visit,
  world,
}) => {
  world.answer('POST /api/auth/logout', { message: 'Logout succeeded!' })
  const { page, calls } = await visit({ as: 'user', path: '/user' })
  await bar(page).getByRole('button', { name: 'Logout' }).click()
  await expect(toast(page, 'Logout succeeded!')).toBeVisible()
  const { width } = page.viewportSize() ?? { width: 0 }
  const appearsAtTheTopRight = (text: string) =>
    expect(async () => {
      const shown = toastArea(page).getByRole('listitem').filter({ hasText: text })
      const { x, y, width: wide } = (await shown.boundingBox()) ?? { x: 0, y: 0, width: 0 }
      expect(x).toBeGreaterThan(width / 2)
      expect(y).toBeLessThan(250)
      expect(width - (x + wide)).toBeLessThan(40)
    }).toPass()
  await appearsAtTheTopRight('Logout succeeded!')
  await expect(page).toHaveURL(/\/login$/)
  expect(await storedToken(page)).toBeNull()
  await expect.poll(() => callsOf(calls, 'POST', '/api/auth/logout').length).toBe(1)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await appearsAtTheTopRight('Wallet has not been connected!')
})

test('[NAV-20] a toast closes automatically after 3 seconds', async ({ visit }) => {
  const { page } = await visit({ hasOwnClock: true })
  const shown = toast(page, 'Wallet has not been connected!')
  const login = page.getByRole('button', { name: 'Login', exact: true })
  await expect(login).toBeVisible()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await login.click()
  await expect(shown).toBeVisible()
  await page.clock.runFor(2_990)
  await expect(shown).toBeVisible()
  await page.clock.runFor(10)
  await expect(shown).toHaveCount(0)
})
