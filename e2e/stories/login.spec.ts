import type { Page } from '@playwright/test'
import { callsOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { storedToken, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { approveInWallet } from '../support/wallet.ts'

const loginButton = (page: Page) => page.getByRole('button', { name: 'Login', exact: true })
const SUCCEEDED = 'LOGIN SUCCESSFUL!Directing to the dashboard...'

test('[LOGIN-03, LOGIN-08, LOGIN-10, LOGIN-11, SESS-01, SESS-02] a holder connects, signs and is logged in; an admin is taken to the admin dashboard', async ({
  visit,
  product,
  admin,
}) => {
  const holder = await product.holder()
  const { page, calls } = await visit({ as: holder, isSignedIn: false, wallet: 'unconnected' })
  await page.getByRole('button', { name: 'Connect the tronlink' }).click()
  await approveInWallet(page, 'Connect this site', page.url().split('/login')[0])
  await expect(page.getByText(holder.address)).toBeVisible()
  await loginButton(page).click()
  await approveInWallet(page, 'Sign this message', holder.address)
  await expect(toast(page, SUCCEEDED)).toBeVisible()
  expect(callsOf(calls, 'POST', '/api/auth/login')[0]?.body).toMatchObject({
    tron_address: holder.address,
  })
  const token = await storedToken(page)
  expect(token).toMatch(/^\S{20,}$/)
  await expect(page).toHaveURL(/\/dashboard$/)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome, / })).toBeVisible()
  expect(await storedToken(page)).toBe(token)

  const office = (await visit({ as: admin, isSignedIn: false })).page
  await expect(office.getByText(admin.address)).toBeVisible()
  await loginButton(office).click()
  await expect(office).toHaveURL(/\/admin\/dashboard$/)
})

test('[LOGIN-12] a wallet that is not registered is led to the registration', async ({
  visit,
  product,
}) => {
  const stranger = await product.holder({ isRegistered: false })
  const { page } = await visit({ as: stranger, isSignedIn: false, tolerates: FAILED_CALLS })
  await expect(page.getByText(stranger.address)).toBeVisible()
  await loginButton(page).click()
  await expect(
    toast(page, 'This wallet is not registered yet. Please register first.'),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/register$/)
})

test('every open page says that the session has ended, even one that is being reloaded', async ({
  visit,
  product,
}) => {
  const person = await product.holder()
  const lateList = Promise.withResolvers<void>()
  const { page } = await visit({
    as: person,
    path: '/referrals',
    tolerates: FAILED_CALLS,
    waitUntil: 'commit',
    before: (fresh) =>
      fresh.route('**/api/auth/referrals?*', async (route) => {
        await lateList.promise
        await route.continue()
      }),
  })
  await expect(page.getByRole('heading', { level: 1, name: 'Referral' })).toBeVisible()
  const other = await page.context().newPage()
  await other.goto('/dashboard')
  await expect(other.getByRole('heading', { level: 1, name: /^Welcome, / })).toBeVisible()

  await page.route('**/referrals', async (route) => {
    await person.call('POST', '/api/auth/logout', {})
    lateList.resolve()
    await expect.poll(() => storedToken(other)).toBeNull()
    await route.continue()
  })
  await page.reload()
  for (const open of [page, other]) {
    await expect(open.getByText('Your session has ended.')).toBeVisible()
  }
  await loginButton(page).click()
  await expect(page).toHaveURL(/\/referrals$/)
})
