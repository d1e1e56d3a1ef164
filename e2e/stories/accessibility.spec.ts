import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { claimed, joined, PLAN_360 } from '../support/scenes.ts'
import {
  claimCard,
  earningCard,
  feeCard,
  tab,
  untilLoaded,
  untilStill,
} from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

/** An open fee in one plan, something to claim in another. */
let holder: OutsideHolder
let newcomer: OutsideHolder
test.beforeAll(async ({ product }) => {
  holder = await product.holder()
  newcomer = await product.holder()
  await joined(product, holder)
  await joined(product, holder, { plan: PLAN_360 })
  await product.advance(6)
  await claimed(product, holder, { type: 'HALF' })
})

async function expectAccessible(page: Page, place: string) {
  await untilLoaded(page)
  await untilStill(page)
  const { violations } = await new AxeBuilder({ page }).exclude('development-wallet').analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)
  expect(found, place).toEqual([])
}

async function closeDialog(page: Page) {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

for (const theme of ['dark', 'light']) {
  const storage = { theme }

  test(`login, registration and terms are accessible (${theme})`, async ({ visit }) => {
    const { page } = await visit({ storage })
    await expect(page.getByRole('alert')).toBeVisible()
    await expectAccessible(page, 'login')
    await page.getByRole('button', { name: 'Choose or get a wallet' }).click()
    await expect(page.getByRole('dialog', { name: 'Choose a wallet' })).toBeVisible()
    await expectAccessible(page, 'wallets')
    await closeDialog(page)
    await page.getByRole('button', { name: 'Register new accounts' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Register' })).toBeVisible()
    await expectAccessible(page, 'registration')
    await page.getByRole('button', { name: 'Read the terms and conditions' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, 'terms')
  })

  test(`the dashboard's tabs are accessible (${theme})`, async ({ visit }) => {
    const { page } = await visit({ as: newcomer, path: '/dashboard', storage })
    for (const name of ['My Earnings', 'Join Earning Plan', 'Claim Reward']) {
      await tab(page, name).click()
      await expect(page.getByRole('tabpanel', { name })).toBeVisible()
      await expectAccessible(page, name)
    }
  })

  test(`the dashboard's dialogs are accessible (${theme})`, async ({ visit }) => {
    const { page } = await visit({ as: holder, path: '/dashboard', storage })
    await expect(feeCard(page, 'PLAN-720')).toBeVisible()
    await page.getByText('Progress over time').first().click()
    await expect(page.getByRole('img', { name: /DCT credited/ })).toBeVisible()
    await expectAccessible(page, 'earnings with an open fee and their progress')
    for (const name of ['Reward Distribution History', 'Reward Claim History']) {
      await earningCard(page, 'PLAN-720').getByRole('button', { name }).click()
      await expect(page.getByRole('dialog', { name })).toBeVisible()
      await page.getByRole('dialog').getByText('Why this amount?').first().click()
      await expectAccessible(page, name)
      await closeDialog(page)
    }
    await page.getByRole('button', { name: 'Activity' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, 'activity')
    await closeDialog(page)
    await feeCard(page, 'PLAN-720').getByRole('button', { name: 'How to Pay' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, 'how to pay')
    await closeDialog(page)
    await feeCard(page, 'PLAN-720').getByRole('button', { name: 'Pay Now' }).click()
    await page.getByRole('dialog').getByText('Show the address as a QR code').click()
    await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible()
    await expectAccessible(page, 'pay')
    await closeDialog(page)
    await tab(page, 'Claim Reward').click()
    await expect(claimCard(page, 'PLAN-360')).toBeVisible()
    await expectAccessible(page, 'claims')
    await claimCard(page, 'PLAN-360').getByRole('button', { name: 'Claim Half' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, 'claim')
  })

  test(`the account is accessible (${theme})`, async ({ visit }) => {
    const { page } = await visit({ as: holder, path: '/user', storage })
    await expect(page.getByRole('heading', { level: 1, name: 'My Account' })).toBeVisible()
    await expectAccessible(page, 'account')
  })
}

test('every page is served with a policy that allows our own scripts and styles alone', async ({
  product,
}) => {
  for (const path of ['/', '/login', '/dashboard', '/admin/dashboard']) {
    const reply = await fetch(`${product.url}${path}`)
    await reply.arrayBuffer()
    const policy = new Map(
      (reply.headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
        const [name = '', ...sources] = rule.split(' ')
        return [name, sources.join(' ')]
      }),
    )
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('script-src')).toBe("'self'")
    expect(policy.get('style-src')).toBe("'self'")
    expect(policy.get('object-src')).toBe("'none'")
    expect(policy.get('base-uri')).toBe("'none'")
    expect(policy.get('frame-ancestors')).toBe("'none'")
    expect([...policy.values()].join(' ')).not.toMatch(/unsafe|\*/)
  }
})
