import type { Page } from '@playwright/test'
import { installBscWallet } from '../support/bsc-wallet.ts'
import { callsOf } from '../support/calls.ts'
import { withOpenFee } from '../support/scenes.ts'
import { openPayDialog, paidFees, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const PLAN = 'PLAN-720'
const PAY = '/api/user/pay-claim-fee'

test('a fee is paid from a BSC wallet with one click: right network, exact amount, hash submitted', async ({
  visit,
  product,
}) => {
  const { holder, fee } = await withOpenFee(product)
  let asked: { method: string }[] = []
  const { page, calls } = await visit({
    as: holder,
    path: '/dashboard',
    before: async (fresh) => {
      asked = await installBscWallet(fresh, holder)
    },
  })
  const before = await holder.usdtBalance()
  const { dialog } = await openPayDialog(page, PLAN)
  const pay = dialog.getByRole('button', {
    name: `Pay ${fee.unpaid_fee_usdt} USDT with Test Wallet`,
  })
  await pay.click()
  await expect(toast(page, 'Fee successfully paid and recorded!')).toBeVisible()
  expect(asked.map(({ method }) => method)).toEqual([
    'eth_requestAccounts',
    'eth_chainId',
    'wallet_switchEthereumChain',
    'eth_chainId',
    'eth_accounts',
    'eth_call',
    'eth_sendTransaction',
  ])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(paidFees(page).filter({ hasText: fee.code_claim })).toBeVisible()
  const [named] = callsOf(calls, 'POST', PAY)
  expect(named?.body.tx_hash_usdt).toMatch(/^0x[0-9a-f]{64}$/)
  await page.getByRole('link', { name: 'Activity' }).click()
  await expect(page.getByRole('main')).toContainText(
    `Your wallet reports a payment of ${fee.unpaid_fee_usdt} USDT on BSC (BEP20): ${named?.body.tx_hash_usdt}`,
  )
  const paid = before - (await holder.usdtBalance())
  expect(paid).toBe(BigInt(fee.unpaid_fee_usdt.replace('.', '')) * 10n ** 12n)
})

test('a payment that a wallet has not answered is not asked for again unawares: on another device and after a reload, the page says so and asks first', async ({
  visit,
  product,
}) => {
  const { holder } = await withOpenFee(product)
  const wallets: { method: string }[][] = []
  const sends = () => wallets.flat().filter(({ method }) => method === 'eth_sendTransaction').length
  const silent = async (fresh: Page) => {
    wallets.push(await installBscWallet(fresh, holder, { isSilent: true }))
  }
  const first = await visit({ as: holder, path: '/dashboard', before: silent })
  const payButton = (page: Page) => page.getByRole('button', { name: /^Pay .* with Test Wallet$/ })
  await openPayDialog(first.page, PLAN)
  await payButton(first.page).click()
  await expect.poll(sends).toBe(1)
  await expect(first.page.getByRole('button', { name: 'Stop waiting' })).toBeVisible()

  const desk = await visit({ as: holder, path: '/dashboard', before: silent })
  await expect(
    desk.page.getByText('another page has been waiting for a wallet').first(),
  ).toBeVisible()
  await openPayDialog(desk.page, PLAN)
  await payButton(desk.page).click()
  const refusal = desk.page
    .getByRole('alert')
    .filter({ hasText: 'Nothing was asked of your wallet.' })
  await expect(refusal).toBeVisible()
  await expect(refusal.getByRole('button', { name: /^I have checked/ })).toHaveCount(0)
  expect(sends()).toBe(1)

  await first.page.reload()
  await openPayDialog(first.page, PLAN)
  await payButton(first.page).click()
  const question = first.page
    .getByRole('alert')
    .filter({ hasText: 'Look into the history of your wallet' })
  await expect(
    question.getByRole('button', { name: /^I have checked that nothing was sent/ }),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Do not ask again' }).click()
  expect(sends()).toBe(1)
})
