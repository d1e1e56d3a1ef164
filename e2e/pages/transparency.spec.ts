import type { ReservesReply } from '@dct/api-contract/reports'
import type { Page } from '@playwright/test'
import { FAILED_CALLS } from '../support/provoke.ts'
import { fact, part } from '../support/screens.ts'
import { expect, test } from './support/test.ts'
import { recordedReply } from './support/world.ts'

const PATH = '/transparency'
const RESERVES = 'GET /api/public/reserves'
const { tron } = recordedReply<ReservesReply>(RESERVES)

/** The cell with one figure of a plan; on a phone the rows are cards. */
const cell = (page: Page, plan: string, name: string) =>
  page.getByRole('row').filter({ hasText: plan }).locator(`td[data-label="${name}"]`)

test('the figures of an unreachable chain are unknown', async ({ visit, world }) => {
  world.alter<ReservesReply>(RESERVES, (answer) => ({
    ...answer,
    tron: null,
    plans: answer.plans.map((plan) => ({ ...plan, on_chain: null })),
  }))
  const { page } = await visit({ path: PATH })
  await expect(page.getByText(/^No Tron node is responding at the moment/)).toBeVisible()
  const capital = part(page, 'Capital')
  await expect(fact(capital, 'Locked (contract)')).toHaveText('—')
  await expect(capital.getByText('Unknown', { exact: true })).toBeVisible()
  await expect(fact(capital, 'Locked (our books)')).toHaveText(/^\d+\.\d{6} DCT$/)
  await expect(cell(page, 'PLAN-720', 'Funded')).toHaveText('—')
  await expect(fact(part(page, 'Referral rewards'), 'Vault holds')).toHaveText(
    /^[\d,]+\.\d{6} USDT$/,
  )
})

test('a shortfall is shown explicitly', async ({ visit, world }) => {
  world.alter<ReservesReply>(RESERVES, (answer) => ({
    ...answer,
    tron: tron && { ...tron, staking_balance: '49.999999' },
  }))
  const { page } = await visit({ path: PATH })
  await expect(part(page, 'Capital').getByText('Not covered', { exact: true })).toBeVisible()
})

test('figures that cannot be loaded can be requested again', async ({ visit, world }) => {
  world.breakDown(RESERVES)
  const { page } = await visit({ path: PATH, tolerates: FAILED_CALLS })
  await expect(page.getByText('The figures could not be loaded.')).toBeVisible()
  world.mend(RESERVES)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(part(page, 'Capital')).toBeVisible()
})

test('the page is available in Indonesian', async ({ visit }) => {
  const { page } = await visit({ path: PATH, storage: { language: 'id' } })
  await expect(
    page.getByRole('heading', { level: 1, name: 'Kewajiban dan cadangan' }),
  ).toBeVisible()
  await expect(part(page, 'Modal').getByText('Mencukupi', { exact: true })).toBeVisible()
})
