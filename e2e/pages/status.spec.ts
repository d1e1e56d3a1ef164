import type { StatusReply } from '@dct/api-contract/status'
import { callsOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { part } from '../support/screens.ts'
import { expect, test } from './support/test.ts'

const STATUS = 'GET /api/public/status'
const RESERVES = 'GET /api/public/reserves'

test('a visitor sees that everything runs, and after a halt what is on hold', async ({
  visit,
  world,
}) => {
  const { page, calls } = await visit({ path: '/login' })
  await page.getByRole('link', { name: 'Status', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Status of the service' })).toBeVisible()
  await expect(part(page, 'Blockchains').getByText('Up to date', { exact: true })).toHaveCount(2)
  await expect(part(page, 'Daily rewards').getByText('In order', { exact: true })).toBeVisible()
  await expect(part(page, 'Payments to holders').getByText('In order')).toBeVisible()
  await expect(part(page, 'Price of DCT').getByText('Current', { exact: true })).toBeVisible()
  await expect(part(page, 'Background work').getByText('All parts are running.')).toBeVisible()
  expect(calls.filter(({ headers }) => headers.authorization !== undefined)).toEqual([])

  world.alter<StatusReply>(STATUS, (status) => ({
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
    ['/status', '/api/public/status', 'Background work'],
    ['/transparency', '/api/public/reserves', 'Last audit'],
  ] as const) {
    const { page, calls } = await visit({ path })
    await expect(part(page, content)).toBeVisible()
    expect(callsOf(calls, 'GET', call), path).toHaveLength(1)
  }
})

test('a part that could not be loaded links to the status page, which itself can be reloaded', async ({
  visit,
  world,
}) => {
  world.breakDown(STATUS, RESERVES, 'GET /api/public/owed')
  const { page } = await visit({ path: '/transparency', tolerates: FAILED_CALLS })
  await page.getByRole('main').getByRole('link', { name: 'Status of the service' }).click()
  await expect(page.getByText(/^The service does not answer at the moment/)).toBeVisible()
  world.mend(STATUS)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(part(page, 'Blockchains')).toBeVisible()
})
