import type { Page } from '@playwright/test'
import { TronWeb } from 'tronweb'
import { claimed, joined } from '../support/scenes.ts'
import { fact, part } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// The figures are sums over all holders.
test.use({ productName: 'transparency' })
test.beforeAll(async ({ product }) => {
  const holder = await product.holder()
  await joined(product, holder)
  await product.advance(7)
  await claimed(product, holder, { type: 'HALF' })
})

const title = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Obligations and reserves', exact: true })
/** The cell with one figure of a plan; on a phone the rows are cards. */
const cell = (page: Page, plan: string, name: string) =>
  page.getByRole('row').filter({ hasText: plan }).locator(`td[data-label="${name}"]`)

test('[CHAIN-10] a visitor sees commitments next to holdings, and each contract call named on the page returns the figure shown there', async ({
  visit,
  product,
}) => {
  const { page, calls } = await visit({ path: '/login' })
  await page.getByRole('link', { name: 'Reserves', exact: true }).click()
  await expect(title(page)).toBeVisible()
  await expect(page).toHaveURL(/\/transparency$/)
  const capital = part(page, 'Capital')
  await expect(fact(capital, 'Locked (contract)')).toHaveText('50.000000 DCT')
  await expect(fact(capital, 'Held by the contract')).toHaveText('50.000000 DCT')
  await expect(fact(capital, 'Locked (our books)')).toHaveText('50.000000 DCT')
  await expect(fact(capital, 'Stakes (contract)')).toHaveText('1')
  await expect(capital.getByText('Covered', { exact: true })).toBeVisible()
  await expect(capital.getByText(/^Block \d+, \d+ (s|min|h) old when read$/)).toBeVisible()
  // 50 DCT at 216 %: 108 in total, 0.15 a day; half of seven days' rewards was sent.
  await expect(cell(page, 'PLAN-720', 'Funded')).toHaveText('10,000.000000 DCT')
  await expect(cell(page, 'PLAN-720', 'Paid')).toHaveText('0.525000 DCT')
  await expect(cell(page, 'PLAN-720', 'Reserved')).toHaveText('107.475000 DCT')
  await expect(cell(page, 'PLAN-720', 'Promised (our books)')).toContainText('107.475000 DCT')
  await expect(cell(page, 'PLAN-720', 'Stakes')).toHaveText('1')
  await expect(cell(page, 'PLAN-360', 'Stakes')).toHaveText('0')
  expect(calls.filter(({ headers }) => headers.authorization !== undefined)).toEqual([])

  const check = part(page, 'Check it yourself')
  const { tron, bsc } = product.info
  const links = [
    ...[tron.token, tron.staking, tron.reward_pool].map(
      (address) => [address, 'https://nile.tronscan.org/#/address/'] as const,
    ),
    [bsc.usdt, 'https://testnet.bscscan.com/address/'] as const,
  ]
  for (const [address, base] of links) {
    const link = check.getByTitle(address, { exact: true }).first()
    await expect(link).toHaveAttribute('href', `${base}${address}`)
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
