import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { TronWeb } from 'tronweb'
import { factOf } from '../support/admin-screens.ts'
import { alter, FAILED_CALLS, restore } from '../support/provoke.ts'
import { claimed, joined } from '../support/scenes.ts'
import { untilLoaded, untilStill } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const PATH = '/transparency'
const CALL = '/api/public/reserves'

// Its figures are sums over all holders.
test.use({ productName: 'transparency' })
test.beforeAll(async ({ product }) => {
  const holder = await product.holder()
  await joined(product, holder)
  await product.advance(7)
  await claimed(product, holder, { type: 'HALF' })
})

const title = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Promised and held', exact: true })
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
/** One plan's figure; on a phone the rows are cards. */
const cell = (page: Page, plan: string, name: string) =>
  page.getByRole('row').filter({ hasText: plan }).locator(`td[data-label="${name}"]`)

test('a visitor finds what is promised beside what is held', async ({ visit }) => {
  const { page, calls } = await visit({ path: '/login' })
  await page.getByRole('link', { name: 'Promised and held: check it yourself' }).click()
  await expect(title(page)).toBeVisible()
  await expect(page).toHaveURL(/\/transparency$/)
  const capital = part(page, 'Capital')
  await expect(factOf(capital, 'Locked, says the contract')).toHaveText('50.000000 DCT')
  await expect(factOf(capital, 'Held by the contract')).toHaveText('50.000000 DCT')
  await expect(factOf(capital, 'Locked, say our books')).toHaveText('50.000000 DCT')
  await expect(factOf(capital, 'Stakes, says the contract')).toHaveText('1')
  await expect(capital.getByText('Covered', { exact: true })).toBeVisible()
  await expect(capital.getByText(/^Block \d+, \d+ (s|min|h) old when it was read$/)).toBeVisible()
  // 50 DCT at 216 %: 108 in all, 0.15 a day; half of seven days was sent.
  await expect(cell(page, 'PLAN-720', 'Funded')).toHaveText(/^10 ?000\.000000\s*DCT$/)
  await expect(cell(page, 'PLAN-720', 'Paid')).toHaveText('0.525000 DCT')
  await expect(cell(page, 'PLAN-720', 'Reserved')).toHaveText('107.475000 DCT')
  await expect(cell(page, 'PLAN-720', 'Promised (our books)')).toContainText('107.475000 DCT')
  await expect(cell(page, 'PLAN-720', 'Stakes')).toHaveText('1')
  await expect(cell(page, 'PLAN-360', 'Stakes')).toHaveText('0')
  expect(calls.filter(({ headers }) => headers.authorization !== undefined)).toEqual([])
})

test('each question that the page names gets the answer that the page shows', async ({
  visit,
  product,
}) => {
  const { page } = await visit({ path: PATH })
  const check = part(page, 'Check it yourself')
  const { tron, bsc } = product.info
  for (const address of [tron.token, tron.staking, tron.reward_pool, bsc.usdt]) {
    await expect(check.getByTitle(address, { exact: true }).first()).toBeVisible()
  }
  await expect(check.getByText('plans("PLAN-720")', { exact: true })).toBeVisible()
  await expect(check.getByText(`balanceOf("${tron.staking}")`, { exact: true })).toBeVisible()
  await expect(check.getByText(`balanceOf("${bsc.payout_address}")`, { exact: true })).toBeVisible()
  const node = new TronWeb({ fullHost: `${product.url}/tron` })
  node.setAddress(tron.staking)
  const ask = async (contract: string, call: string, parameters: unknown[]) => {
    const { constant_result: result } = await node.transactionBuilder.triggerConstantContract(
      contract,
      call,
      {},
      parameters as never,
      tron.staking,
    )
    return BigInt(`0x${result[0]}`)
  }
  expect(await ask(tron.staking, 'totalLocked()', [])).toBe(50_000_000n)
  const owner = [{ type: 'address', value: tron.staking }]
  expect(await ask(tron.token, 'balanceOf(address)', owner)).toBe(50_000_000n)
})

test('a chain that does not answer leaves its figures unknown', async ({ visit }) => {
  const { page } = await visit({
    path: PATH,
    before: (fresh) =>
      alter<Record<string, unknown>>(fresh, CALL, (answer) => ({
        ...answer,
        tron: null,
        plans: (answer.plans as object[]).map((plan) => ({ ...plan, on_chain: null })),
      })),
  })
  await expect(page.getByText(/^No Tron node answers right now/)).toBeVisible()
  const capital = part(page, 'Capital')
  await expect(factOf(capital, 'Locked, says the contract')).toHaveText('—')
  await expect(capital.getByText('Not known', { exact: true })).toBeVisible()
  await expect(factOf(capital, 'Locked, say our books')).toHaveText('50.000000 DCT')
  await expect(cell(page, 'PLAN-720', 'Funded')).toHaveText('—')
  await expect(factOf(part(page, 'Referral rewards'), 'Payout wallet holds')).toHaveText(
    /^[\d ]+\.\d{6} USDT$/,
  )
})

test('less held than owed is said in so many words', async ({ visit }) => {
  const { page } = await visit({
    path: PATH,
    before: (fresh) =>
      alter<{ tron: object }>(fresh, CALL, (answer) => ({
        ...answer,
        tron: { ...answer.tron, staking_balance: '49.999999' },
      })),
  })
  await expect(part(page, 'Capital').getByText('Not covered', { exact: true })).toBeVisible()
})

test('figures that cannot be loaded can be asked for again', async ({ visit }) => {
  const { page } = await visit({
    path: PATH,
    tolerates: FAILED_CALLS,
    before: (fresh) =>
      fresh.route(`**${CALL}`, (route) => route.fulfill({ status: 400, json: {} })),
  })
  await expect(page.getByText('The figures could not be loaded.')).toBeVisible()
  await restore(page)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(part(page, 'Capital')).toBeVisible()
})

for (const theme of ['dark', 'light']) {
  for (const [size, viewport] of [
    ['desktop', { width: 1280, height: 900 }],
    ['phone', { width: 360, height: 740 }],
  ] as const) {
    test(`the page is accessible and fits (${theme}, ${size})`, async ({ visit }) => {
      const { page } = await visit({ path: PATH, storage: { theme }, context: { viewport } })
      await expect(part(page, 'Check it yourself')).toBeVisible()
      await untilLoaded(page)
      await untilStill(page)
      const { violations } = await new AxeBuilder({ page }).exclude('development-wallet').analyze()
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)).toEqual(
        [],
      )
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(scrollWidth).toBeLessThanOrEqual(viewport.width)
    })
  }
}

test('the page speaks Indonesian', async ({ visit }) => {
  const { page } = await visit({ path: PATH, storage: { language: 'id' } })
  await expect(
    page.getByRole('heading', { level: 1, name: 'Yang dijanjikan dan yang tersedia' }),
  ).toBeVisible()
  await expect(part(page, 'Modal').getByText('Terjamin', { exact: true })).toBeVisible()
})
