import { part } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

test('an admin’s announcement appears on the status page in the language of the visitor', async ({
  visit,
  admin,
}) => {
  const office = (await visit({ as: admin, path: '/admin/control?tab=health' })).page
  const notes = part(office, 'Notes on the status page')
  await notes.getByRole('button', { name: 'Announce' }).click()
  await expect(notes.getByText('Both texts and both times are needed.')).toHaveCount(4)
  await notes.getByLabel('Text in Indonesian').fill('Pembaruan basis data')
  await notes.getByLabel('Text in English').fill('Upgrade of the database')
  await notes.getByLabel('Begins').fill('2030-01-01T10:00')
  await notes.getByLabel('Ends').fill('2030-01-01T12:00')
  await notes.getByRole('button', { name: 'Announce' }).click()
  await expect(notes.getByRole('button', { name: 'End this note' })).toBeVisible()

  const { page } = await visit({ path: '/status', storage: { language: 'id' } })
  await expect(page.getByText('Pembaruan basis data')).toBeVisible({ timeout: 30_000 })
  await notes.getByRole('button', { name: 'End this note' }).click()
  await expect(notes.getByText('Nothing is announced.')).toBeVisible()
})

test('the security page shows the address of the service and its contracts, and where to report', async ({
  visit,
  product,
}) => {
  const { page } = await visit({ path: '/security' })
  const genuine = part(page, 'Is this the real service?')
  await expect(genuine.getByText(product.url, { exact: true })).toBeVisible()
  const { tron, bsc } = product.info
  for (const address of [tron.staking, tron.reward_pool, tron.token, bsc.usdt]) {
    await expect(part(page, 'What you can verify yourself').getByTitle(address)).toBeVisible()
  }
  const report = part(page, 'Report a problem')
  const email = report.getByRole('link', { name: /@/ })
  const contact = await email.getAttribute('href')
  await report.getByRole('link', { name: /security\.txt/ }).click()
  await expect(page.locator('body')).toContainText(`Contact: ${contact}`)
  await expect(page.locator('body')).toContainText(`Policy: ${product.url}/security`)
})
