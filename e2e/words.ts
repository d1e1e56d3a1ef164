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
import { activeHolder, walkToFirstReward } from './support/newcomers-walk.ts'
import { startProduct } from './support/product.ts'
import { untilStill } from './support/screens.ts'

const FOLDER = fileURLToPath(new URL('../screenshots/words/', import.meta.url))
const [width = 390, height = 844] = (process.argv[2] ?? '').split('x').filter(Boolean).map(Number)

const rows: Record<string, Reading> = {}
mkdirSync(FOLDER, { recursive: true })
const product = await startProduct()
const browser = await launchBrowser()
try {
  const walk = { product, browser, size: { width, height }, note }
  await walkToFirstReward(walk)
  console.table({ ...rows, 'the walk': sumOf(Object.values(rows)) })
  for (const name of Object.keys(rows)) delete rows[name]
  await activeHolder(walk)
  console.table(rows)
} finally {
  await browser.close()
  await product.stop()
}

async function note(page: Page, name: string): Promise<void> {
  await page.locator('main').waitFor({ state: 'attached' })
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
  await untilStill(page)
  rows[name] = await page.evaluate(readScreen)
  const picture = `${FOLDER}${width}-${name.replaceAll(' ', '-')}`
  await page.screenshot({ path: `${picture}.png` })
  await page.screenshot({ path: `${picture}-whole.png`, fullPage: true })
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
