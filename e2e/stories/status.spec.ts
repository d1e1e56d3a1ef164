import { callsOf } from '../support/calls.ts'
import { alter, FAILED_CALLS, restore } from '../support/provoke.ts'
import { joined } from '../support/scenes.ts'
import { part } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const CALL = '/api/public/status'

test('a visitor sees that everything runs, and after a halt what is on hold', async ({
  visit,
  product,
}) => {
  await joined(product, await product.holder())
  await product.advance(1)
  const { page, calls } = await visit({ path: '/login' })
  await page.getByRole('link', { name: 'Status', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Status of the service' })).toBeVisible()
  await expect(part(page, 'Blockchains').getByText('Up to date', { exact: true })).toHaveCount(2)
  await expect(part(page, 'Daily rewards').getByText('In order', { exact: true })).toBeVisible()
  await expect(part(page, 'Payments to holders').getByText('In order')).toBeVisible()
  await expect(part(page, 'Price of DCT').getByText('Current', { exact: true })).toBeVisible()
  await expect(part(page, 'Background work').getByText('All parts are running.')).toBeVisible()
  expect(calls.filter(({ headers }) => headers.authorization !== undefined)).toEqual([])

  await alter<{ chains: object[] }>(page, CALL, (status) => ({
    ...status,
    is_well: false,
    are_operators_alerted: true,
    chains: [
      { chain: 'BSC', state: 'behind', seconds_behind: 480, seconds_since_look: 2 },
      { chain: 'TRON', state: 'halted', seconds_behind: 0, seconds_since_look: 2 },
    ],
  }))
  await page.reload()
  await expect(page.getByText('The operators have been alerted.')).toBeVisible()
  await expect(page.getByText('Payments and locks are booked 8 minutes late.')).toBeVisible()
  await expect(part(page, 'Blockchains').getByText('On hold', { exact: true })).toBeVisible()
})

test('a public page needs only one request for its figures', async ({ visit }) => {
  for (const [path, call, content] of [
    ['/status', CALL, 'Background work'],
    ['/transparency', '/api/public/reserves', 'Last audit'],
  ] as const) {
    const { page, calls } = await visit({ path })
    await expect(part(page, content)).toBeVisible()
    expect(callsOf(calls, 'GET', call), path).toHaveLength(1)
  }
})

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

test('a part that could not be loaded links to the status page, which itself can be reloaded', async ({
  visit,
}) => {
  const { page } = await visit({
    path: '/transparency',
    tolerates: FAILED_CALLS,
    before: (fresh) =>
      fresh.route('**/api/public/**', (route) => route.fulfill({ status: 400, json: {} })),
  })
  await page.getByRole('main').getByRole('link', { name: 'Status of the service' }).click()
  await expect(page.getByText(/^The service does not answer at the moment/)).toBeVisible()
  await restore(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(part(page, 'Blockchains')).toBeVisible()
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
