import { storedToken, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

test('[NAV-14, NAV-15, NAV-16] logging out ends the session at the service too', async ({
  visit,
  product,
}) => {
  const person = await product.holder()
  const { page } = await visit({ as: person, wallet: 'absent', path: '/user' })
  const bar = page.getByRole('navigation', { name: 'Main' })
  await bar.getByRole('button', { name: 'Logout' }).click()
  await expect(toast(page, 'Logout succeeded!')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  expect(await storedToken(page)).toBeNull()
  await expect(async () => {
    expect((await person.tryCall('GET', '/api/auth/me')).status).toBe(401)
  }).toPass()
})
