import type { Page } from '@playwright/test'
import { type AdaptedWallet, disguiseWallet } from '../support/adapted-wallets.ts'
import { fillJoin, pressJoin, tab, toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import {
  approveInWallet,
  closePanel,
  openPanel,
  rejectInWallet,
  walletQuestion,
} from '../support/wallet.ts'

const connect = (page: Page) => page.getByRole('button', { name: 'Connect the tronlink' })
const otherAccount = (page: Page) => page.getByText('but you are logged in as')

for (const name of ['OKX Wallet', 'Bitget Wallet', 'TokenPocket'] as const) {
  test(`${name}: connect, sign in, join, and switch the account`, async ({ visit, product }) => {
    const holder = await product.holder()
    const { page } = await visit({
      as: holder,
      isSignedIn: false,
      wallet: 'unconnected',
      before: (fresh) => disguiseWallet(fresh, name),
    })
    await expect(page.getByText(`${name} is not connected yet.`)).toBeVisible()
    await connect(page).click()
    await rejectInWallet(page, 'Connect this site')
    await expect(
      toast(page, 'You declined the request in the wallet. It was not sent.'),
    ).toBeVisible()

    await connect(page).click()
    await approveInWallet(page, 'Connect this site')
    await expect(page.getByText(`Connected with ${name}`)).toBeVisible()
    await expect(page.getByText(holder.address)).toBeVisible()
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await approveInWallet(page, 'Sign this message', holder.address)
    await page.waitForURL('**/dashboard*')

    await tab(page, 'Join Earning Plan').click()
    await fillJoin(page, { plan: 'PLAN-360', amount: '10' })
    await pressJoin(page)
    await approveInWallet(page, 'Sign this transaction', 'approve')
    await approveInWallet(page, 'Sign this transaction', 'joinStake')
    await expect(toast(page, 'You joined PLAN-360: 10 DCT are locked.')).toBeVisible()
    await expect(walletQuestion(page, 'Connect this site')).toHaveCount(0)

    await page.goto('/dashboard?tab=join')
    await expect(page.getByRole('article', { name: 'PLAN-360' }).first()).toBeVisible()
    await expect(otherAccount(page)).toHaveCount(0)
    const panel = await openPanel(page)
    await panel.getByRole('combobox', { name: 'Account' }).selectOption({ index: 1 })
    await closePanel(panel)
    await expect(otherAccount(page).first()).toBeVisible()
  })
}

for (const name of ['Trust Wallet', 'OneKey', 'imToken'] satisfies AdaptedWallet[]) {
  test(`${name}: connect and sign in`, async ({ visit, product }) => {
    const holder = await product.holder()
    const isApp = name === 'imToken'
    const { page } = await visit({
      as: holder,
      isSignedIn: false,
      // An app shows its account to every page.
      wallet: isApp ? 'asking' : 'unconnected',
      before: (fresh) => disguiseWallet(fresh, name),
    })
    if (!isApp) {
      await connect(page).click()
      await approveInWallet(page, 'Connect this site')
    }
    await expect(page.getByText(`Connected with ${name}`)).toBeVisible()
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await approveInWallet(page, 'Sign this message', holder.address)
    await page.waitForURL('**/dashboard*')
    await expect(page.getByText(holder.address.slice(0, 5)).first()).toBeVisible()
  })
}
