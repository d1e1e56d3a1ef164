import { expectGoodLooks } from '../support/looks.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { part } from '../support/screens.ts'
import { expect, test } from './support/test.ts'

test('an unknown case shows a message', async ({ visit, world }) => {
  world.refuse('GET /api/admin/cases/:code', 'CASE_NOT_FOUND')
  const { page } = await visit({
    ...{ as: 'admin', path: '/admin/cases/CL-NONE', tolerates: FAILED_CALLS },
  })
  await expect(page.getByText('There is no such case.')).toBeVisible()
})

test('a day that can be closed is accessible in both themes and fits wide screens and phones', async ({
  visit,
}) => {
  const { page } = await visit({ as: 'admin', path: '/admin/control?tab=close&day=2026-12-09' })
  await expect(part(page, 'Chain and books')).toBeVisible()
  await expect(page.getByText('Everything agrees', { exact: true })).toBeVisible()
  await expectGoodLooks(page, 'a day')
})
