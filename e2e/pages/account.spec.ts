import { FAILED_CALLS } from '../support/provoke.ts'
import { storedToken } from '../support/screens.ts'
import { addressOfRole, expect, test } from './support/test.ts'

const ME = 'GET /api/auth/me'

test('[ACCT-01, ACCT-02] the address, the profile with its sessions, and the stakes on chain', async ({
  visit,
  world,
}) => {
  world.chain.account.stake = { amount: 20_000_000n, reward: 43_200_000n }
  const { page } = await visit({ as: 'user', wallet: 'connected', path: '/user' })
  const main = page.locator('main')
  const address = addressOfRole('user')
  await expect(main.getByRole('link', { name: address })).toHaveAttribute(
    'href',
    new RegExp(`/address/${address}$`),
  )
  const sections = main.getByRole('heading', { level: 2 })
  await expect(sections).toHaveText([
    'Wallet address',
    'Profile and sessions',
    'My stakes on chain',
  ])
  await expect(main).toContainText('holder@example.org')
  await expect(main).toContainText('This session')
  await expect(main).toContainText('20.000000 DCT')
  await expect(main).toContainText('43.200000 DCT')
})

test('[ACCT-03] without a stored token the page redirects to the login', async ({ visit }) => {
  const { page } = await visit({ path: '/user' })
  await expect(page.getByRole('heading', { name: 'Login with Tronlink' })).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test('[ACCT-04, SESS-03] when the user cannot be fetched the page redirects to the login, and the token is removed', async ({
  visit,
  world,
}) => {
  world.say(ME, 'Not now.')
  for (const path of ['/user', '/register']) {
    const { page } = await visit({ as: 'user', path, tolerates: FAILED_CALLS })
    if (path === '/user') await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
      'Login',
    ])
    expect(await storedToken(page)).toBeNull()
  }
})

test('[ACCT-04] when only the page’s own request for the user fails, it also redirects to the login', async ({
  visit,
  world,
}) => {
  const { page } = await visit({ as: 'user', path: '/dashboard', tolerates: FAILED_CALLS })
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible()
  world.say(ME, 'Not now.')
  await page.getByRole('link', { name: 'My Account' }).click()
  await expect(page).toHaveURL(/\/login$/)
})
