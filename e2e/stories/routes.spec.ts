import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { storedToken, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const DENIED = 'Access denied. Please log in with the right account.'
const USER_PAGES = [
  ['ROUTE-03', '/dashboard', /^Welcome, /],
  ['ROUTE-04', '/referrals', 'Referral'],
  ['ROUTE-05', '/user', 'My Account'],
] as const
const ADMIN_PAGES = [
  ['ROUTE-06', '/admin/dashboard', 'Admin Dashboard'],
  ['ROUTE-07', '/admin/reward-history', 'Reward Distribution History'],
  ['ROUTE-08', '/admin/claim-history', 'Reward Claim History'],
  ['ROUTE-09', '/admin/referral-claim-pool', 'Referral Claim Pool'],
] as const
const FURTHER_ADMIN_PAGES = ['/admin/operations', '/admin/control', '/admin/cases/CL-1']

let holder: OutsideHolder
test.beforeAll(async ({ product }) => {
  holder = await product.holder()
})

const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const loginTitle = (page: Page) => title(page, 'Login with Tronlink')

for (const [id, path, name] of USER_PAGES) {
  test(`[${id}] a holder may open ${path}`, async ({ visit }) => {
    const { page } = await visit({ as: holder, path })
    await expect(title(page, name)).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
  })
}

for (const [id, path, name] of ADMIN_PAGES) {
  test(`[${id}] an admin may open ${path}`, async ({ visit, admin }) => {
    const { page } = await visit({ as: admin, path })
    await expect(title(page, name)).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
  })
}

for (const [, path, name] of ADMIN_PAGES) {
  test(`[ROUTE-11, ROUTE-13, ROUTE-14] a holder is turned away from ${path}`, async ({
    visit,
    product,
  }) => {
    const person = await product.holder()
    const { page, calls } = await visit({ as: person, wallet: 'absent', path })
    await expect(toast(page, DENIED)).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
    await expect(loginTitle(page)).toBeVisible()
    await expect(title(page, name)).toHaveCount(0)
    expect(calls.filter((call) => call.path.startsWith('/api/admin/'))).toEqual([])
    await expectLoggedOut(page)
  })
}

for (const [, path, name] of USER_PAGES) {
  test(`[ROUTE-12, ROUTE-13, ROUTE-14] an admin is turned away from ${path}`, async ({
    visit,
    product,
  }) => {
    const person = await product.admin()
    const { page, calls } = await visit({ as: person, wallet: 'absent', path })
    await expect(toast(page, DENIED)).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
    await expect(title(page, name)).toHaveCount(0)
    expect(calls.filter((call) => call.path.startsWith('/api/user/'))).toEqual([])
    await expectLoggedOut(page)
  })
}

/** Expects that the page has dropped the token and shows the visitor's navigation. */
async function expectLoggedOut(page: Page) {
  expect(await storedToken(page)).toBeNull()
  const nav = page.getByRole('navigation', { name: 'Main' })
  await expect(nav.getByRole('link')).toHaveText(['Login'])
  await expect(nav.getByRole('button', { name: 'Logout' })).toHaveCount(0)
}

test('[ROUTE-01, ROUTE-02, ROUTE-10, ROUTE-15, ROUTE-16, ROUTE-17, ROUTE-18, ROUTE-19, ROUTE-20, ROLE-17] a visitor reaches login, registration and the public pages; every other path redirects to the login', async ({
  visit,
}) => {
  const { page } = await visit({ path: '/login', tolerates: FAILED_CALLS })
  await expect(loginTitle(page)).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  for (const [path, name] of [
    ['/register', 'Register'],
    ['/transparency', 'Obligations and reserves'],
    ['/support/case/unknown', 'Case'],
  ] as const) {
    await page.goto(path)
    await expect(title(page, name)).toBeVisible()
    const register = page.getByRole('button', { name: 'Register Now' })
    await expect(register).toHaveCount(path === '/register' ? 1 : 0)
    await expect(page).toHaveURL(new RegExp(`${path}$`))
  }
  const others = [...USER_PAGES, ...ADMIN_PAGES].map(([, path]) => path)
  const unknown = ['/', '/nope', '/admin', '/dashboard/more', '/user/1?x=y']
  for (const path of [...others, ...FURTHER_ADMIN_PAGES, ...unknown]) {
    await page.goto(path)
    await expect(loginTitle(page)).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
  }
})
