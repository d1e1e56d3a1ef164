/**
 * `npm run lighthouse`: measures how fast the login page and a holder's dashboard load on a phone, with Lighthouse's
 * default profile (a mid-range phone, simulated throttling) on what `npm start` serves. Prints the medians of three
 * visits, each with an empty cache; nothing else should run on the machine at the same time.
 */

import { portForLater } from '@dct/local-services/testing/port-for-later'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { launchBrowser } from './support/browser.ts'
import { startProduct } from './support/product.ts'
import { joined } from './support/scenes.ts'

const RUNS = 3
/** The figures to show, by the name of their Lighthouse audit, with the number of decimals to show. */
const FIGURES = {
  'first-contentful-paint': { name: 'FCP, s', unit: 1_000, decimals: 2 },
  'largest-contentful-paint': { name: 'LCP, s', unit: 1_000, decimals: 2 },
  'total-blocking-time': { name: 'TBT, ms', unit: 1, decimals: 0 },
  'speed-index': { name: 'SI, s', unit: 1_000, decimals: 2 },
  'cumulative-layout-shift': { name: 'CLS', unit: 1, decimals: 3 },
} as const

type Figures = Record<string, number>

const product = await startProduct()
const port = await portForLater()
const browser = await launchBrowser([`--remote-debugging-port=${port}`])
try {
  const login = await medians('/login')
  await signIn()
  console.table({ login, dashboard: await medians('/dashboard') })
} finally {
  await browser.close()
  await product.stop()
}

/** Signs in a holder with eight days of rewards, in the browser's default context, which Lighthouse uses. */
async function signIn(): Promise<void> {
  const holder = await product.holder()
  await joined(product, holder)
  await product.advance(8)
  const connected = await chromium.connectOverCDP(`http://127.0.0.1:${port}`)
  const page = await connected.contexts()[0]?.newPage()
  if (!page) throw new Error('The browser has no default context')
  await page.goto(`${product.url}/favicon.svg`)
  await page.evaluate((token) => localStorage.setItem('authToken', token), holder.token)
  await page.close()
}

async function medians(path: string): Promise<Figures> {
  const runs: Figures[] = []
  for (let run = 0; run < RUNS; run++) runs.push(await measure(path))
  const names = Object.keys(runs[0] ?? {})
  return Object.fromEntries(
    names.map((name) => [name, median(runs.map((run) => run[name] ?? NaN))]),
  )
}

async function measure(path: string): Promise<Figures> {
  const result = await lighthouse(`${product.url}${path}`, {
    port,
    onlyCategories: ['performance'],
    // This long poll is always pending while the page is open, so the network would never become idle.
    blockedUrlPatterns: ['*/api/user/changes*'],
    logLevel: 'error',
  })
  if (result?.lhr.finalDisplayedUrl !== `${product.url}${path}`) {
    throw new Error(`${path} led to ${result?.lhr.finalDisplayedUrl ?? 'no report'}`)
  }
  const { audits, categories } = result.lhr
  const figures = Object.entries(FIGURES).map(([audit, { name, unit, decimals }]) => {
    return [name, Number(((audits[audit]?.numericValue ?? NaN) / unit).toFixed(decimals))]
  })
  const requests = requestsOf(audits['network-requests']?.details)
  const scripts = requests.filter(({ resourceType }) => resourceType === 'Script')
  return {
    score: Math.round((categories.performance?.score ?? NaN) * 100),
    ...Object.fromEntries(figures),
    requests: requests.length,
    KiB: kibibytes(requests),
    scripts: scripts.length,
    'scripts, KiB': kibibytes(scripts),
  }
}

function kibibytes(requests: readonly RequestRow[]): number {
  return Math.round(requests.reduce((sum, { transferSize }) => sum + transferSize, 0) / 1_024)
}

type RequestRow = { resourceType: string; transferSize: number }

function requestsOf(details: unknown): RequestRow[] {
  return (details as { items?: RequestRow[] } | undefined)?.items ?? []
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? NaN
}
