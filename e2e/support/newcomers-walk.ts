import type { Browser, Page } from '@playwright/test'
import { openVisit } from './open-visit.ts'
import type { Product } from './product.ts'
import { claimed, joined, paid } from './scenes.ts'
import { feeCard, fillJoin, joinForm, joinReview, tab } from './screens.ts'
import { approveInWallet } from './wallet.ts'

const PLAN = 'PLAN-720'

type Size = { width: number; height: number }
type Walk = {
  product: Product
  browser: Browser
  size: Size
  note(page: Page, name: string): Promise<void>
}

function onPhone(viewport: Size) {
  return { viewport, isMobile: true, hasTouch: true }
}

/**
 * Walks from the login page to the first reward on a phone of that size, and hands over each screen once it is still.
 * Time passes: five days.
 */
export async function walkToFirstReward({ product, browser, size, note }: Walk): Promise<void> {
  const newcomer = await product.holder({ isRegistered: false })
  const { page } = await openVisit(
    { browser, url: product.url },
    { as: newcomer, isSignedIn: false, wallet: 'unconnected', context: onPhone(size) },
  )
  const press = (name: string) => page.getByRole('button', { name, exact: true }).first().tap()
  await page.getByRole('button', { name: 'Connect the tronlink' }).waitFor()
  await note(page, '01 login')
  await page.goto('/register')
  await press('Connect the tronlink')
  await approveInWallet(page, 'Connect this site')
  await page.getByLabel('E-mail').fill('sari@example.org')
  await note(page, '02 register')
  await page.getByRole('checkbox').tap()
  await press('Register Now')
  await approveInWallet(page, 'Sign this message')
  await page.getByText('The login page opens in 4 seconds.').waitFor()
  await note(page, '03 registered')
  await page.waitForURL(/\/login$/)
  await press('Login')
  await approveInWallet(page, 'Sign this message')
  await tab(page, 'Join Earning Plan').waitFor()
  await note(page, '04 first dashboard')
  await tab(page, 'Join Earning Plan').tap()
  await fillJoin(page, { plan: PLAN, amount: '50' })
  await note(page, '05 join form')
  await joinForm(page).join.tap()
  await joinReview(page).dialog.waitFor()
  await note(page, '06 join review')
  await joinReview(page).confirm.tap()
  await page.getByText(/Remaining time/).waitFor()
  await note(page, '07 waiting')
  await approveInWallet(page, 'Sign this transaction')
  await approveInWallet(page, 'Sign this transaction', 'joinStake')
  await page.getByRole('article', { name: PLAN }).waitFor()
  await product.settle()
  await note(page, '08 joined')
  await product.advance(5)
  await page.goto('/dashboard')
  await note(page, '09 rewards')
  await tab(page, 'Claim Reward').tap()
  await note(page, '10 claim')
  await press('Claim Half')
  await page.getByRole('dialog').waitFor()
  await note(page, '11 claim dialog')
  await press('Confirm')
  await feeCard(page, PLAN).waitFor()
  await product.settle()
  await page.goto('/dashboard')
  await note(page, '12 fee due')
  await feeCard(page, PLAN).getByRole('button', { name: 'Pay Now' }).tap()
  await note(page, '13 pay')
  await page.context().close()
}

/** The dashboard of a holder who has claimed and paid once, eight days after the last claim. */
export async function activeHolder({ product, browser, size, note }: Walk): Promise<void> {
  const holder = await product.holder()
  await joined(product, holder)
  await product.advance(8)
  await paid(product, holder, await claimed(product, holder, { type: 'HALF' }))
  await product.advance(8)
  const { page } = await openVisit(
    { browser, url: product.url },
    { as: holder, path: '/dashboard', context: onPhone(size) },
  )
  await note(page, '14 active dashboard')
  await page.context().close()
}
