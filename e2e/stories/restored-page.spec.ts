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
    const { page, calls } = await visit({ as: first, path: '/user', before: deafen })
    await expect(page.getByText(FIRST).first()).toBeVisible()
    if (from === 'the back/forward cache') await suspend(page)
    const before = calls.length
    expect(await bringBack(page, from, second.token)).toBe('')
    await expect(page.getByText(SECOND).first()).toBeVisible()
    await expect(page.getByText(FIRST)).toHaveCount(0)
    const tokens = new Set(calls.slice(before).map(({ headers }) => headers.authorization))
    expect([...tokens].filter((token) => token === `Bearer ${first.token}`)).toEqual([])
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
  const { page, calls } = await visit({ as: first, path: '/user', before: deafen })
  await expect(page.getByText(FIRST).first()).toBeVisible()
  await storeToken(page, second.token)
  const before = calls.length
  await page.getByRole('link', { name: 'Referral', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Referral Summary' })).toBeVisible()
  await page.getByRole('link', { name: 'My Account', exact: true }).click()
  await expect(page.getByText(SECOND).first()).toBeVisible()
  const sent = calls.slice(before).map(({ headers }) => headers.authorization)
  expect(sent.filter((token) => token === `Bearer ${first.token}`)).toEqual([])
})
