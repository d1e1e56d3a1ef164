/**
 * `npm run words`: counts what a person has to read and what they can press, on a phone of 390 × 844, on the way from
 * the login page to the first reward and on the dashboard of a holder in the middle of a plan. Prints the words of the
 * first screenful and of the whole, the controls, and the height in screens of each; saves a picture of each to the
 * git-ignored folder screenshots/words/. An argument chooses another size, such as 360x640.
 */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { launchBrowser } from './support/browser.ts'
import { type Reading, readScreen } from './support/count-words.ts'
import { openVisit } from './support/open-visit.ts'
import { startProduct } from './support/product.ts'
import { claimed, joined, paid } from './support/scenes.ts'
import { feeCard, fillJoin, joinForm, joinReview, tab, untilStill } from './support/screens.ts'
import { approveInWallet } from './support/wallet.ts'

const FOLDER = fileURLToPath(new URL('../screenshots/words/', import.meta.url))
const PLAN = 'PLAN-720'
const [width = 390, height = 844] = (process.argv[2] ?? '').split('x').filter(Boolean).map(Number)
const PHONE = { viewport: { width, height }, isMobile: true, hasTouch: true }

const rows: Record<string, Reading> = {}
mkdirSync(FOLDER, { recursive: true })
const product = await startProduct()
const browser = await launchBrowser()
try {
  await walkToFirstReward()
  console.table({ ...rows, 'the walk': sumOf(Object.values(rows)) })
  const active = await activeHolder()
  console.table({ 'active dashboard': active })
} finally {
  await browser.close()
  await product.stop()
}

async function walkToFirstReward(): Promise<void> {
  const newcomer = await product.holder({ isRegistered: false })
  const { page } = await openVisit(
    { browser, url: product.url },
    { as: newcomer, isSignedIn: false, wallet: 'unconnected', context: PHONE },
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
async function activeHolder(): Promise<Reading> {
  const holder = await product.holder()
  await joined(product, holder)
  await product.advance(8)
  await paid(product, holder, await claimed(product, holder, { type: 'HALF' }))
  await product.advance(8)
  const { page } = await openVisit(
    { browser, url: product.url },
    { as: holder, path: '/dashboard', context: PHONE },
  )
  const reading = await read(page, '14 active dashboard', { isWhole: true })
  await page.context().close()
  return reading
}

async function note(page: Page, name: string): Promise<void> {
  rows[name] = await read(page, name)
}

async function read(page: Page, name: string, { isWhole = false } = {}): Promise<Reading> {
  await page.locator('main').waitFor({ state: 'attached' })
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
  await untilStill(page)
  if (isWhole) await page.evaluate(() => window.scrollTo(0, 0))
  const reading = await page.evaluate(readScreen)
  const picture = `${FOLDER}${width}-${name.replaceAll(' ', '-')}`
  await page.screenshot({ path: `${picture}.png` })
  await page.screenshot({ path: `${picture}-whole.png`, fullPage: true })
  return reading
}

function sumOf(readings: readonly Reading[]): Reading {
  const sum = (key: keyof Reading) => readings.reduce((total, reading) => total + reading[key], 0)
  return {
    first: sum('first'),
    whole: sum('whole'),
    controls: sum('controls'),
    screens: Math.round(sum('screens') * 10) / 10,
  }
}
