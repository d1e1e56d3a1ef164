/** `npm run screenshots`: the pages and dialogs, dark and light, phone and desktop, into the ignored folder screenshots/. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, expect, type Page } from '@playwright/test'
import { launchBrowser } from './support/browser.ts'
import { openVisit, type VisitOptions } from './support/open-visit.ts'
import { startProduct } from './support/product.ts'
import { referralCodeOf, setPercentage } from './support/referrals.ts'
import { claimed, joined, paid } from './support/scenes.ts'
import { untilLoaded, untilStill } from './support/screens.ts'

const FOLDER = fileURLToPath(new URL('../screenshots/', import.meta.url))
/** A part of the names of the only ones to take. */
const WANTED = process.argv[2] ?? ''
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const THEMES = ['dark', 'light'] as const

type Shot = {
  name: string
  visit: VisitOptions
  act?(page: Page): Promise<unknown>
  /** The whole page and not only what is in view, which is enough for dialogs. */
  isWhole?: boolean
}

const product = await startProduct()
const browser = await launchBrowser()
try {
  const shots = await prepareShots()
  for (const shot of shots.filter(({ name }) => name.includes(WANTED)))
    await takeShot(browser, shot)
} finally {
  await browser.close()
  await product.stop()
}

/** A holder in the middle of a plan who referred others, one with an open fee, a newcomer, an admin. */
async function prepareShots(): Promise<Shot[]> {
  const holder = await product.holder()
  await setPercentage(product, holder, '20')
  const referrerCode = await referralCodeOf(holder)
  const claimant = await product.holder({ referrerCode })
  const newcomer = await product.holder({ referrerCode: await referralCodeOf(claimant) })
  await joined(product, holder)
  await joined(product, claimant)
  await product.advance(8)
  await paid(product, holder, await claimed(product, holder, { type: 'HALF' }))
  await paid(product, claimant, await claimed(product, claimant, { type: 'FULL' }))
  await product.advance(6)
  const { code_claim: code } = await claimed(product, claimant, { type: 'FULL' })
  const admin = await product.admin()
  const press = (name: string) => (page: Page) => page.getByRole('button', { name }).first().click()
  const asHolder = (path: string): VisitOptions => ({ as: holder, path })
  const asAdmin = (path: string): VisitOptions => ({ as: admin, path: `/admin/${path}` })
  return [
    { name: 'login', visit: { path: '/login' } },
    { name: 'wallets', visit: { path: '/login' }, act: openWallets },
    { name: 'register', visit: { path: '/register' } },
    { name: 'terms', visit: { path: '/register' }, act: press('Read the terms and conditions') },
    { name: 'dashboard', visit: asHolder('/dashboard') },
    { name: 'progress', visit: asHolder('/dashboard'), act: openProgress, isWhole: true },
    {
      name: 'distribution-history',
      visit: asHolder('/dashboard'),
      act: press('Reward Distribution History'),
    },
    { name: 'claim', visit: asHolder('/dashboard?tab=claim') },
    { name: 'claim-dialog', visit: asHolder('/dashboard?tab=claim'), act: press('Claim Half') },
    {
      name: 'join',
      visit: { as: newcomer, path: '/dashboard?tab=join' },
      act: fillJoin,
      isWhole: true,
    },
    { name: 'fees', visit: { as: claimant, path: '/dashboard' } },
    { name: 'pay-dialog', visit: { as: claimant, path: '/dashboard' }, act: press('Pay Now') },
    { name: 'how-to-pay', visit: { as: claimant, path: '/dashboard' }, act: press('How to Pay') },
    { name: 'account', visit: asHolder('/user') },
    { name: 'activity', visit: asHolder('/dashboard'), act: press('Activity') },
    { name: 'referrals', visit: asHolder('/referrals') },
    { name: 'referral-claim', visit: asHolder('/referrals'), act: press('Claim Fee Referral') },
    { name: 'transparency', visit: { path: '/transparency' } },
    { name: 'admin-dashboard', visit: asAdmin('dashboard') },
    { name: 'admin-users', visit: asAdmin('dashboard?tab=users') },
    { name: 'admin-percentage', visit: asAdmin('dashboard?tab=users'), act: press('Edit %') },
    { name: 'admin-transactions', visit: asAdmin('dashboard?tab=transactions') },
    { name: 'admin-plans', visit: asAdmin('dashboard?tab=plans') },
    { name: 'admin-plan-editor', visit: asAdmin('dashboard?tab=plans'), act: press('Add plan') },
    {
      name: 'admin-participants',
      visit: asAdmin('dashboard?tab=plans'),
      act: press('See participants'),
    },
    { name: 'admin-reward-history', visit: asAdmin('reward-history') },
    { name: 'admin-claim-history', visit: asAdmin('claim-history') },
    { name: 'admin-claim-pool', visit: asAdmin('referral-claim-pool') },
    { name: 'admin-control', visit: asAdmin('control') },
    { name: 'admin-close', visit: asAdmin('control?tab=close') },
    { name: 'admin-case', visit: asAdmin(`cases/${code}`) },
    ...['money', 'payments', 'payouts', 'health', 'log', 'price'].map((tab) => ({
      name: `admin-${tab}`,
      visit: asAdmin(`operations?tab=${tab}`),
    })),
  ]
}

async function openProgress(page: Page): Promise<void> {
  await page.getByText('Progress over time').first().click()
  await expect(page.getByRole('img', { name: /DCT credited/ })).toBeVisible()
}

async function openWallets(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Choose or get a wallet' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

async function fillJoin(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Earning plan' }).selectOption('PLAN-720')
  await page.getByRole('textbox', { name: 'Token amount (DCT)' }).fill('50')
}

async function takeShot(on: Browser, shot: Shot): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const theme of THEMES) {
      const { page } = await openVisit(
        { browser: on, url: product.url },
        { ...shot.visit, storage: { theme }, context: { viewport } },
      )
      await page.waitForLoadState('networkidle')
      await untilLoaded(page)
      await shot.act?.(page)
      await untilStill(page)
      if (shot.isWhole) await page.evaluate(() => window.scrollTo(0, 0))
      await page.screenshot({
        path: `${FOLDER}${shot.name}-${theme}-${size}.png`,
        fullPage: shot.isWhole ?? shot.act === undefined,
      })
      await page.context().close()
    }
  }
  console.log(shot.name)
}
