import { readFileSync } from 'node:fs'
import { joined } from '../support/scenes.ts'
import { storedToken } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

test('one session is ended by its button, and this one stays; logging out everywhere ends all of them', async ({
  visit,
  product,
}) => {
  const person = await product.holder()
  const tokens = [person.token]
  for (let login = 0; login < 2; login += 1) {
    await person.login()
    tokens.push(person.token)
  }
  const statuses = () =>
    Promise.all(
      tokens.map(async (token) => {
        const headers = { authorization: `Bearer ${token}` }
        return (await fetch(`${product.url}/api/auth/me`, { headers })).status
      }),
    )
  const { page } = await visit({ as: person, wallet: 'absent', path: '/user' })
  const end = page.getByRole('button', { name: 'Log out there' })
  await expect(end).toHaveCount(2)
  await end.first().click()
  await expect(end).toHaveCount(1)
  const left = await statuses()
  expect(left.filter((status) => status === 401)).toHaveLength(1)
  expect(left.at(-1)).toBe(200)
  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await statuses()).toEqual([401, 401, 401])
})

test('[ACCT-01, ACCT-02] the profile with its stakes on chain; everything stored about a holder can be saved as a file, and the account stays open while tokens are locked', async ({
  visit,
  product,
}) => {
  const holder = await product.holder({ email: 'account@example.org' })
  await joined(product, holder, { amount: '20' })
  const { page } = await visit({ as: holder, path: '/user' })
  const main = page.locator('main')
  for (const shown of ['account@example.org', '20.000000 DCT', '43.200000 DCT'])
    await expect(main).toContainText(shown)
  await page.goto('/your-data')
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

test('the e-mail address is removed alone; a holder without locked tokens closes the account: the person is removed, and the wallet can come back', async ({
  visit,
  product,
}) => {
  const leaving = await product.holder({ email: 'leaving@example.org' })
  const { page } = await visit({ as: leaving, path: '/your-data' })
  await expect(page.getByText('leaving@example.org')).toBeVisible()
  const remove = page.getByRole('button', { name: 'Remove the e-mail address' })
  await remove.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the e-mail address' }).click()
  await expect(remove).toHaveCount(0)
  const me = async () => (await leaving.call<{ user: object }>('GET', '/api/auth/me')).user
  expect(await me()).toMatchObject({ email: null, id: expect.anything() })
  await page.getByRole('button', { name: 'Close the account' }).click()
  await page.getByRole('button', { name: 'Remove my data and log out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await storedToken(page)).toBeNull()
  await leaving.login()
  expect(await me()).toMatchObject({ tron_address: leaving.address, email: null })
})
