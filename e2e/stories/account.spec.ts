import { readFileSync } from 'node:fs'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { FAILED_CALLS, refuse } from '../support/provoke.ts'
import { joined } from '../support/scenes.ts'
import { storedToken } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

let holder: OutsideHolder
test.beforeAll(async ({ product }) => {
  holder = await product.holder({ email: 'account@example.org' })
  await joined(product, holder, { amount: '20' })
})

test('[ACCT-01, ACCT-02] the address, the profile with its sessions, and the stakes on chain', async ({
  visit,
}) => {
  const { page } = await visit({ as: holder, path: '/user' })
  const main = page.locator('main')
  await expect(main.getByRole('link', { name: holder.address })).toHaveAttribute(
    'href',
    new RegExp(`/address/${holder.address}$`),
  )
  const sections = main.getByRole('heading', { level: 2 })
  await expect(sections).toHaveText([
    'Wallet address',
    'Profile and sessions',
    'My stakes on chain',
  ])
  await expect(main).toContainText('account@example.org')
  await expect(main).toContainText('This session')
  await expect(main).toContainText('20.000000 DCT')
  await expect(main).toContainText('43.200000 DCT')
})

test('[ACCT-03] without a stored token the page redirects to the login', async ({ visit }) => {
  const { page } = await visit({ path: '/user' })
  await expect(page.getByRole('heading', { name: 'Login with Tronlink' })).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})

test('[ACCT-04] when the user cannot be fetched the page redirects to the login', async ({
  visit,
}) => {
  const { page } = await visit({
    as: holder,
    wallet: 'absent',
    path: '/user',
    tolerates: FAILED_CALLS,
    before: (fresh) => refuse(fresh, '/api/auth/me', 'Not now.'),
  })
  await expect(page).toHaveURL(/\/login$/)
  expect(await storedToken(page)).toBeNull()
})

test('[ACCT-04] when only the page’s own request for the user fails, it also redirects to the login', async ({
  visit,
}) => {
  const { page } = await visit({
    as: holder,
    wallet: 'absent',
    path: '/dashboard',
    tolerates: FAILED_CALLS,
  })
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible()
  await refuse(page, '/api/auth/me', 'Not now.')
  await page.getByRole('link', { name: 'My Account' }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('logging out everywhere ends the other sessions too', async ({ visit, product }) => {
  const person = await product.holder()
  const other = person.token
  await person.login()
  const { page } = await visit({ as: person, wallet: 'absent', path: '/user' })
  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  await expect(page).toHaveURL(/\/login$/)
  for (const token of [other, person.token]) {
    const reply = await fetch(`${product.url}/api/auth/me`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(reply.status).toBe(401)
  }
})

test('one session is ended by its button, and this one stays', async ({ visit, product }) => {
  const person = await product.holder()
  const other = person.token
  await person.login()
  const { page } = await visit({ as: person, wallet: 'absent', path: '/user' })
  const end = page.getByRole('button', { name: 'Log out there' })
  await expect(end).toHaveCount(1)
  await end.click()
  await expect(end).toHaveCount(0)
  const statusOf = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await fetch(`${product.url}/api/auth/me`, { headers })).status
  }
  expect([await statusOf(other), await statusOf(person.token)]).toEqual([401, 200])
})

test('everything stored about a holder can be saved as a file, and the account stays open while tokens are locked', async ({
  visit,
}) => {
  const { page } = await visit({ as: holder, path: '/your-data' })
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save everything as a file' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toBe('your-data.json')
  expect(JSON.parse(readFileSync(await download.path(), 'utf8'))).toMatchObject({
    account: { tron_address: holder.address, email: 'account@example.org' },
    sessions: expect.arrayContaining([expect.objectContaining({ is_current: true })]),
    messages: { registered_email: 'account@example.org' },
    terms: { consents: expect.anything() },
    history: expect.arrayContaining([expect.objectContaining({ amount: '20.000000' })]),
  })
  await expect(page.getByRole('button', { name: 'Close the account' })).toBeDisabled()
})

test('the e-mail address of the registration can be removed alone', async ({ visit, product }) => {
  const shy = await product.holder({ email: 'shy@example.org' })
  const { page } = await visit({ as: shy, path: '/your-data' })
  await expect(page.getByText('shy@example.org')).toBeVisible()
  const remove = page.getByRole('button', { name: 'Remove the e-mail address' })
  await remove.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the e-mail address' }).click()
  await expect(remove).toHaveCount(0)
  const { user } = await shy.call<{ user: object }>('GET', '/api/auth/me')
  expect(user).toMatchObject({ email: null })
})

test('a holder without locked tokens closes the account: the person is removed, and the wallet can come back', async ({
  visit,
  product,
}) => {
  const leaving = await product.holder({ email: 'leaving@example.org' })
  const { page } = await visit({ as: leaving, path: '/your-data' })
  await page.getByRole('button', { name: 'Close the account' }).click()
  await page.getByRole('button', { name: 'Remove my data and log out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await storedToken(page)).toBeNull()
  await leaving.login()
  const { user } = await leaving.call<{ user: object }>('GET', '/api/auth/me')
  expect(user).toMatchObject({ tron_address: leaving.address, email: null })
})
