import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { joined } from '../support/scenes.ts'
import { untilLoaded, untilStill } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const TABS = ['Money', 'Payments', 'Payouts', 'Health', 'Admin log', 'Price']

/** Something in every list. */
test.beforeAll(async ({ product, admin }) => {
  const holder = await product.holder()
  await joined(product, holder)
  await holder.payUsdt('55.5')
  await product.settle()
  await admin.call('POST', '/api/admin/price', { price: '1.5' })
})

async function eachTab(page: Page, look: (name: string) => Promise<void>) {
  for (const name of TABS) {
    await page.getByRole('tab', { name, exact: true }).click()
    await expect(page.getByRole('tabpanel', { name })).toBeVisible()
    await untilLoaded(page)
    await look(name)
  }
}

for (const theme of ['dark', 'light']) {
  test(`the operations are accessible (${theme})`, async ({ visit, admin }) => {
    const { page } = await visit({ as: admin, path: '/admin/operations', storage: { theme } })
    await eachTab(page, async (name) => {
      await untilStill(page)
      const { violations } = await new AxeBuilder({ page }).exclude('development-wallet').analyze()
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)
      expect(found, name).toEqual([])
    })
  })
}

test('on a small phone nothing is wider than the screen', async ({ visit, admin }) => {
  const { page } = await visit({
    as: admin,
    path: '/admin/operations',
    context: { viewport: { width: 360, height: 740 } },
  })
  await eachTab(page, async (name) => {
    const widths = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ])
    expect(widths[0], name).toBeLessThanOrEqual(widths[1] ?? 0)
  })
})
