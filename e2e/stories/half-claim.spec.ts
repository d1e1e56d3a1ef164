import type { Page } from '@playwright/test'
import { type DemoAccount, OutsideHolder } from '../outside/outside-client.ts'
import { runAudit } from '../support/audit.ts'
import { callsOf } from '../support/calls.ts'
import { dct } from '../support/dct.ts'
import {
  claimCard,
  earningCard,
  fact,
  feeCard,
  fillJoin,
  overlay,
  paidFees,
  pressJoin,
  tab,
  textOf,
  toast,
} from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { approveInWallet, closePanel, openPanel } from '../support/wallet.ts'

const PLAN = 'PLAN-720'

test('[STATE-11, STATE-12, STATE-13, STATE-14, STATE-15, STATE-17, CLAIM-06, CLAIM-10, FEE-21, ROLE-01, ROLE-02, ROLE-03] a HALF claim from the first visit to the last payment, by clicking', async ({
  visit,
  product,
}) => {
  const account = product.info.accounts.find(({ role }) => role === 'holder')
  if (!account) throw new Error('The product has no demo holder')
  const outside = new OutsideHolder({ base: product.url, info: product.info, account })
  const { page, calls } = await visit()

  await registerByClicking(page, account)
  await loginByClicking(page)
  const startBalance = await outside.dctBalance()
  await joinByClicking(page)
  await product.settle()
  await advanceByClicking(page, 5)
  await page.reload()
  await expect(fact(earningCard(page, PLAN), 'Claimable reward')).toHaveText('0.750000 DCT')

  await claimHalfByClicking(page)
  const [claim] = callsOf(calls, 'POST', '/api/user/claim')
  expect(claim?.body).toMatchObject({ earning_plan_code: PLAN, claim_type: 'HALF' })
  await product.settle()
  expect(dct((await outside.dctBalance()) - startBalance)).toBe('-49.625000')
  await tab(page, 'My Earnings').click()
  await expect(earningCard(page, PLAN)).toContainText('Freeze')

  const hash = await payByClicking(page)
  await expect(toast(page, 'Fee successfully paid and recorded!')).toBeVisible()
  await expect(feeCard(page, PLAN)).toHaveCount(0)
  const paid = paidFees(page).filter({ hasText: PLAN })
  await expect(paid.locator(`a[href$="/tx/${hash}"]`)).toBeVisible()
  await expect(earningCard(page, PLAN)).toContainText('Active')

  await product.settle()
  await page.reload()
  await expect(paid.getByText('Done', { exact: true })).toBeVisible()
  await expect(paid.locator('a[href*="/transaction/"]')).toHaveAttribute(
    'href',
    /\/transaction\/[0-9a-f]{64}$/,
  )
  expect(dct((await outside.dctBalance()) - startBalance)).toBe('-49.250000')
  const audit = await runAudit(product.stack.dataDir)
  expect(audit.code, audit.output).toBe(0)
})

async function registerByClicking(page: Page, account: DemoAccount) {
  await page.getByRole('button', { name: 'Register new accounts' }).click()
  await page.getByRole('button', { name: 'Use the development wallet' }).click()
  await page.getByRole('button', { name: 'Connect the tronlink' }).click()
  await approveInWallet(page, 'Connect this site')
  await expect(page.getByText(account.tron_address)).toBeVisible()
  await page.getByLabel('E-mail').fill('ayu@example.org')
  await page.getByRole('button', { name: 'Read the terms and conditions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await page.getByRole('checkbox', { name: 'I accept the terms and conditions' }).check()
  await page.getByRole('button', { name: 'Register Now' }).click()
  await approveInWallet(page, 'Sign this message', 'ayu@example.org')
  await expect(toast(page, 'Successful registration!Please login.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
}

async function loginByClicking(page: Page) {
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await approveInWallet(page, 'Sign this message')
  await expect(toast(page, 'LOGIN SUCCESSFUL!Directing to the dashboard...')).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard$/)
}

async function joinByClicking(page: Page) {
  await tab(page, 'Join Earning Plan').click()
  await fillJoin(page, { plan: PLAN, amount: '50' })
  await pressJoin(page)
  await expect(overlay(page)).toBeVisible()
  await approveInWallet(page, 'Sign this transaction', /approve\(Staking .*, 50000000\)/)
  await approveInWallet(page, 'Sign this transaction', 'joinStake(50000000, PLAN-720, 720)')
  await expect(overlay(page)).toHaveCount(0)
  await expect(toast(page, 'You joined PLAN-720: 50 DCT are locked.')).toBeVisible()
  await expect(tab(page, 'Join Earning Plan')).toHaveCount(0)
}

async function advanceByClicking(page: Page, days: number) {
  const panel = await openPanel(page)
  await panel.getByLabel('Days').fill(`${days}`)
  await panel.getByRole('button', { name: 'Advance' }).click()
  await expect(panel.getByText(/^It is now \d{4}-\d{2}-\d{2}\.$/)).toBeVisible()
  await closePanel(panel)
}

async function claimHalfByClicking(page: Page) {
  await tab(page, 'Claim Reward').click()
  await claimCard(page, PLAN).getByRole('button', { name: 'Claim Half' }).click()
  const dialog = page.getByRole('dialog', { name: `Claim ${PLAN}: HALF` })
  await expect(dialog.getByText('exactly 0.375000', { exact: true })).toHaveCount(2)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(
    toast(page, /^HALF Reward successfully claimed! TX: (RTX-|[0-9a-f]{64}$)/),
  ).toBeVisible()
  await expect(dialog).toHaveCount(0)
}

/** Pays with the panel's button. @returns the hash of the payment, which is found by itself */
async function payByClicking(page: Page): Promise<string> {
  const due = await textOf(fact(feeCard(page, PLAN), 'Fee (USDT)'))
  const panel = await openPanel(page)
  await panel.getByRole('button', { name: 'Show open fees' }).click()
  await expect(panel.getByText(`${PLAN}: ${due}`)).toBeVisible()
  await panel.getByRole('button', { name: 'Pay this fee' }).click()
  const confirmation = panel.getByText(/^Paid [\d.]+ USDT: 0x[0-9a-f]{64}$/)
  await expect(confirmation).toBeVisible()
  const hash = (await textOf(confirmation)).split(': ')[1] ?? ''
  await closePanel(panel)

  return hash
}
