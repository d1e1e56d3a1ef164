import type { Page } from '@playwright/test'
import { FAILED_CALLS } from '../support/provoke.ts'
import { storedToken, toast } from '../support/screens.ts'
import { expect, test } from './support/test.ts'

const DENIED = 'Access denied. Please log in with the right account.'
const USER_PAGES = [
  ['/dashboard', /^Welcome, /],
  ['/referrals', 'Referral'],
  ['/user', 'My Account'],
] as const
const ADMIN_PAGES = [
  ['/admin/dashboard', 'Admin Dashboard'],
  ['/admin/reward-history', 'Reward Distribution History'],
  ['/admin/claim-history', 'Reward Claim History'],
  ['/admin/referral-claim-pool', 'Referral Claim Pool'],
] as const
const FURTHER_ADMIN_PAGES = ['/admin/operations', '/admin/control', '/admin/cases/CL-1']

const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const loginTitle = (page: Page) => title(page, 'Login with Tronlink')

test('[ROUTE-03, ROUTE-04, ROUTE-05] a holder may open the pages of holders', async ({ visit }) => {
  const { page } = await visit({ as: 'user' })
  for (const [path, name] of USER_PAGES) {
    await page.goto(path)
    await expect(title(page, name)).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
  }
})

test('[ROUTE-06, ROUTE-07, ROUTE-08, ROUTE-09] an admin may open the pages of admins', async ({
  visit,
}) => {
  const { page } = await visit({ as: 'admin' })
  for (const [path, name] of ADMIN_PAGES) {
    await page.goto(path)
    await expect(title(page, name)).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
  }
})

for (const [who, as, pages, calls] of [
  ['a holder', 'user', ADMIN_PAGES, '/api/admin/'],
  ['an admin', 'admin', USER_PAGES, '/api/user/'],
] as const) {
  const id = as === 'user' ? 'ROUTE-11' : 'ROUTE-12'
  test(`[${id}, ROUTE-13, ROUTE-14] ${who} is turned away from the pages of the other role, and logged out`, async ({
    visit,
    world,
  }) => {
    world.answer('POST /api/auth/logout', { message: 'Logout succeeded!' })
    for (const [path, name] of pages) {
      const visited = await visit({ as, path })
      const { page } = visited
      await expect(toast(page, DENIED)).toBeVisible()
      await expect(page).toHaveURL(/\/login$/)
      await expect(loginTitle(page)).toBeVisible()
      await expect(title(page, name)).toHaveCount(0)
      expect(visited.calls.filter((call) => call.path.startsWith(calls))).toEqual([])
      await expectLoggedOut(page)
    }
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
  world,
}) => {
  world.refuse('GET /api/public/cases/:token', 'CASE_LINK_OVER')
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
  const others = [...USER_PAGES, ...ADMIN_PAGES].map(([path]) => path)
  const unknown = ['/', '/nope', '/admin', '/dashboard/more', '/user/1?x=y']
  for (const path of [...others, ...FURTHER_ADMIN_PAGES, ...unknown]) {
    await page.goto(path)
    await expect(loginTitle(page)).toBeVisible()
    await expect(page).toHaveURL(/\/login$/)
  }
})
