import type { Page } from '@playwright/test'
import type { Shot, Who } from '../support/gallery.ts'
import { OFFLINE_ACTS } from '../support/offline-acts.ts'
import { joinReview, overlay, tab, toast, untilLoaded } from '../support/screens.ts'
import { visitOf } from './support/people.ts'
import { expect, test } from './support/test.ts'

/** What the browser logs for any request made while offline, including the wallet's. */
const tolerates = /ERR_INTERNET_DISCONNECTED|Failed to load resource|Failed to fetch|CodeMissing/

/** The banner at the top of every page while there is no connection. */
const banner = (page: Page) => page.getByText('Nothing can be sent until you are online again.')

async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await expect(banner(page)).toBeVisible()
}

/** Restores the connection and waits until everything that was waiting for it could have been sent. */
async function goOnline(page: Page): Promise<void> {
  const asked = page.waitForRequest((request) => request.url().includes('/api/'))
  await page.context().setOffline(false)
  await expect(banner(page)).toBeHidden()
  await page.evaluate(() => fetch('/api/health'))
  await asked
  await untilLoaded(page)
}

const at = (who: Who, path: string): Shot => ({ name: path, who, path, tolerates })

for (const { prepare, press, call, ...shot } of OFFLINE_ACTS) {
  test(`${shot.name} without a connection is refused immediately and never sent`, async ({
    visit,
    world,
  }) => {
    const { page, calls } = await visit(visitOf({ ...shot, tolerates }, world))
    await untilLoaded(page)
    await prepare?.(page)
    await goOffline(page)
    await press(page)
    await expect(page.getByText('You are offline. This request was not sent.')).toBeVisible()
    const dialog = page.getByRole('dialog')
    if (await dialog.isVisible()) await page.keyboard.press('Escape')
    await goOnline(page)
    expect(calls.filter(({ method, path }) => method !== 'GET' && call.test(path))).toEqual([])
  })
}

test('a join without a connection calls neither the service nor the wallet, then or later', async ({
  visit,
  world,
}) => {
  const { page, calls, wallet } = await visit(visitOf(at('newcomer', '/dashboard?tab=join'), world))
  await page.getByRole('combobox', { name: 'Earning plan' }).selectOption('PLAN-720')
  await page.getByRole('textbox', { name: 'Token amount (DCT)' }).fill('10')
  await untilLoaded(page)
  await goOffline(page)
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(toast(page, 'You are offline.')).toBeVisible()
  await expect(overlay(page)).toBeHidden()
  await expect(joinReview(page).dialog).toHaveCount(0)
  await goOnline(page)
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await expect(joinReview(page).dialog).toBeVisible()
  await goOffline(page)
  await joinReview(page).confirm.click()
  await expect(toast(page, 'You are offline.').last()).toBeVisible()
  await expect(overlay(page)).toBeHidden()
  await goOnline(page)
  expect(wallet.asked).toEqual([])
  expect(calls.filter(({ path }) => /reserve|broadcast|user\/earnings$/.test(path))).toEqual(
    calls.filter(({ method, path }) => method === 'GET' && /user\/earnings$/.test(path)),
  )
})

test('a page keeps its data and shows its age; new parts show a message instead of loading forever', async ({
  visit,
  world,
}) => {
  const { page } = await visit(visitOf(at('holder', '/dashboard'), world))
  await untilLoaded(page)
  const card = page
    .getByRole('tabpanel', { name: 'My Earnings' })
    .getByRole('article', { name: 'PLAN-720' })
  await expect(card).toBeVisible()
  await goOffline(page)
  await expect(
    page.getByText(/^You are offline\. What you see is from .+ or earlier\./),
  ).toBeVisible()
  await expect(card).toBeVisible()
  await card.getByRole('button', { name: 'Reward Distribution History' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('This list could not be loaded.')).toBeVisible()
  await goOnline(page)
  await expect(dialog.getByRole('row')).not.toHaveCount(0)
  await expect(dialog.getByText('This list could not be loaded.')).toBeHidden()
})

test('figures that cannot be refreshed remain, with their age', async ({ visit, world }) => {
  const shot = at('admin', '/admin/dashboard?tab=transactions')
  const { page } = await visit({ ...visitOf(shot, world), hasOwnClock: true })
  const rows = page.getByRole('table', { name: 'Transaction History' }).locator('tbody tr')
  await untilLoaded(page)
  const before = await rows.count()
  expect(before).toBeGreaterThan(1)
  await tab(page, 'List of Users').click()
  await untilLoaded(page)
  await page.clock.fastForward(60_000)
  await goOffline(page)
  await tab(page, 'Transaction History').click()
  await expect(page.getByText(/^This could not be refreshed\. What you see is from/)).toBeVisible()
  await expect(rows).toHaveCount(before)
})

test('a QR code that cannot be loaded shows that you are offline and leaves the payment dialog open', async ({
  visit,
  world,
}) => {
  const shot = visitOf(at('claimant', '/dashboard'), world)
  // In a tab of its own, which has not loaded the code for this before.
  const { page } = await visit({ ...shot, before: async () => undefined })
  await page.getByRole('button', { name: 'Pay Now', exact: true }).first().click()
  await untilLoaded(page)
  await goOffline(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('QR code', { exact: true }).click()
  await expect(
    dialog.getByText('You are offline. This part of the page could not be loaded.'),
  ).toBeVisible()
  await dialog.getByText('I have the transaction hash').click()
  await expect(dialog.getByPlaceholder('0x…')).toBeVisible()
})

test('a page or a dialog whose code cannot be loaded shows that you are offline, not that it crashed, and keeps what was typed', async ({
  visit,
  world,
}) => {
  const shot = visitOf(at('holder', '/dashboard'), world)
  const { page } = await visit({ ...shot, before: async () => undefined })
  await untilLoaded(page)
  await goOffline(page)
  await page.getByRole('link', { name: 'Referral', exact: true }).click()
  const missing = 'You are offline. This part of the page could not be loaded.'
  await expect(page.getByText(missing)).toBeVisible()
  await expect(page.getByText('This page stopped working')).toBeHidden()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Reload', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Referral Summary' })).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await page.goto('/register')
  await untilLoaded(page)
  await goOffline(page)
  const email = page.getByRole('textbox', { name: 'E-mail' })
  await email.fill('eka@example.org')
  await page.getByRole('button', { name: 'Read the terms and conditions' }).click()
  await expect(toast(page, missing)).toBeVisible()
  await expect(email).toHaveValue('eka@example.org')
})

test('without a connection nobody is logged out', async ({ visit, world }) => {
  const { page } = await visit({
    ...visitOf(at('holder', '/dashboard'), world),
    before: (opened) =>
      opened.addInitScript(() => {
        Object.defineProperty(navigator, 'onLine', {
          get: () => sessionStorage.getItem('line') !== 'cut',
        })
      }),
  })
  await untilLoaded(page)
  await page.evaluate(() => sessionStorage.setItem('line', 'cut'))
  await page.route('**/api/auth/me', (route) => route.abort('internetdisconnected'))
  await page.reload()
  await expect(banner(page)).toBeVisible()
  await page.unroute('**/api/auth/me')
  await page.evaluate(() => {
    sessionStorage.removeItem('line')
    window.dispatchEvent(new Event('online'))
  })
  await expect(page.getByRole('tabpanel', { name: 'My Earnings' })).toBeVisible()
})

test('the wait for a response ends after 30 seconds, and nothing can be cancelled until then', async ({
  visit,
  world,
}) => {
  world.holdBack('POST /api/user/claim')
  const shot = visitOf(at('holder', '/dashboard?tab=claim'), world)
  const { page } = await visit({ ...shot, hasOwnClock: true })
  await page.getByRole('button', { name: 'Claim Half' }).first().click()
  const aborted = page.waitForEvent('requestfailed', (request) =>
    request.url().endsWith('/user/claim'),
  )
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(dialog.getByRole('button', { name: 'Cancel', exact: true })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeVisible()
  await page.clock.fastForward(30_000)
  await aborted
  await expect(
    toast(
      page,
      'The service did not respond in time. Check whether your request went through before you try again.',
    ),
  ).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Cancel', exact: true })).toBeEnabled()
})
