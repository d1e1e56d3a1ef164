import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { expect, test } from '../support/test.ts'

const FIRST = 'first@example.org'
const SECOND = 'second@example.org'

let first: OutsideHolder
let second: OutsideHolder
test.beforeAll(async ({ product }) => {
  first = await product.holder({ email: FIRST })
  second = await product.holder({ email: SECOND })
})

/**
 * Has the page note every request that carries a token other than the stored one at the moment it is sent. Requests
 * that Playwright reports after that moment may have been sent before it.
 */
function noteForeignTokens(page: Page) {
  return page.addInitScript(() => {
    const { fetch } = window
    window.fetch = (input, init) => {
      const token = new Headers(init?.headers).get('authorization')
      if (token !== null && token !== `Bearer ${localStorage.getItem('authToken')}`) {
        // Outlives the reload of the page.
        sessionStorage.setItem(`foreign ${input}`, token)
      }
      return fetch(input, init)
    }
  })
}

async function watched(page: Page) {
  await deafen(page)
  await noteForeignTokens(page)
}

const foreignTokens = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('foreign ')))

/** Suspends the page as a browser does: it hears nothing of other tabs. */
function deafen(page: Page) {
  return page.addInitScript(() => {
    addEventListener('storage', (event) => event.stopImmediatePropagation(), { capture: true })
  })
}

/** Writes the token that another tab has stored meanwhile; null after a logout. */
function storeToken(page: Page, token: string | null) {
  return page.evaluate((stored) => {
    if (stored === null) localStorage.removeItem('authToken')
    else localStorage.setItem('authToken', stored)
  }, token)
}

/**
 * Brings the page back after another tab has stored this token, and returns what can be seen before its next task. At
 * once, because a page that renders meanwhile notices by itself.
 */
function bringBack(
  page: Page,
  from: 'the back/forward cache' | 'the background',
  replacedBy?: string,
) {
  return page.evaluate(
    ([place, token]) => {
      if (token !== undefined) localStorage.setItem('authToken', token)
      if (place === 'the background') document.dispatchEvent(new Event('visibilitychange'))
      else dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
      return document.body.innerText
    },
    [from, replacedBy] as const,
  )
}

const suspend = (page: Page) =>
  page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    return document.body.innerText
  })

for (const from of ['the back/forward cache', 'the background'] as const) {
  test(`a page from ${from} shows nothing of a session that has ended`, async ({ visit }) => {
    const { page } = await visit({ as: first, path: '/user', before: deafen })
    await expect(page.getByText(FIRST).first()).toBeVisible()
    if (from === 'the back/forward cache') expect(await suspend(page)).not.toContain(FIRST)
    await storeToken(page, null)
    const seen = await bringBack(page, from)
    expect(seen).not.toContain(FIRST)
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible()
  })

  test(`a page from ${from} never mixes two accounts`, async ({ visit }) => {
    const { page } = await visit({ as: first, path: '/user', before: watched })
    await expect(page.getByText(FIRST).first()).toBeVisible()
    if (from === 'the back/forward cache') await suspend(page)
    expect(await bringBack(page, from, second.token)).toBe('')
    await expect(page.getByText(SECOND).first()).toBeVisible()
    await expect(page.getByText(FIRST)).toHaveCount(0)
    expect(await foreignTokens(page)).toEqual([])
  })

  test(`a page from ${from} stays as it is while its session goes on`, async ({ visit }) => {
    const { page } = await visit({ as: first, path: '/user', before: deafen })
    await expect(page.getByText(FIRST).first()).toBeVisible()
    if (from === 'the back/forward cache') await suspend(page)
    expect(await bringBack(page, from)).toContain(FIRST)
  })
}

test('a page whose session another account has replaced loads that account before it asks for anything', async ({
  visit,
}) => {
  const { page } = await visit({ as: first, path: '/user', before: watched })
  await expect(page.getByText(FIRST).first()).toBeVisible()
  await storeToken(page, second.token)
  await page.getByRole('link', { name: 'Referral', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Referral Summary' })).toBeVisible()
  await page.getByRole('link', { name: 'My Account', exact: true }).click()
  await expect(page.getByText(SECOND).first()).toBeVisible()
  expect(await foreignTokens(page)).toEqual([])
})
