import {
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type Page,
} from '@playwright/test'
import { launchBrowser } from '../../support/browser.ts'
import { type Call, recordCalls } from '../../support/calls.ts'
import { recordToasts } from '../../support/record-toasts.ts'
import { type PageService, startPageService } from './page-service.ts'
import { createWorld, recordedReply, type World } from './world.ts'

export { expect }

type Role = 'user' | 'admin'
export type PageVisitOptions = {
  /** Who is signed in; a visitor without it. */
  as?: Role
  path: string
  /** Additional local storage entries. */
  storage?: Record<string, string>
  viewport?: { width: number; height: number }
  /** Lets the test move the page's clock; takes a tab of its own, which costs about as much as the test. */
  hasOwnClock?: boolean
  /** Console messages and errors that the test provokes on purpose. */
  tolerates?: RegExp
}
export type PageVisit = { page: Page; calls: Call[]; toasts: string[] }

type OpenPage = {
  page: Page
  context: BrowserContext
  calls: Call[]
  toasts: string[]
  complaints: string[]
}
type Fixtures = {
  world: World
  /** Opens a page of the product, in the browser tab that all tests of a worker share. */
  visit(options: PageVisitOptions): Promise<PageVisit>
}
type WorkerFixtures = { browser: Browser; service: PageService; tab: OpenPage }

const DESKTOP = { width: 1280, height: 900 }
const NOISE = /^(log|info|debug|dir|table|trace|startGroup|endGroup|count|timeEnd|time|clear)$/
/** A file of the site's origin that runs no script: in it, storage can be prepared. */
const QUIET_PLACE = '/favicon.svg'

export const test = base.extend<Fixtures, WorkerFixtures>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from a pattern
    async ({}, use) => {
      const browser = await launchBrowser()
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from a pattern
    async ({}, use) => {
      const service = await startPageService()
      await use(service)
      await service.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  // A new context for each test would start a process and compile all scripts again, which takes longer than the test.
  tab: [
    async ({ browser, service }, use) => {
      const opened = await openTab(browser, service.url)
      await use(opened)
      await opened.context.close()
    },
    { scope: 'worker' },
  ],
  world: async ({ service }, use) => {
    const world = createWorld(service.url)
    service.answerBy(world.tell)
    await use(world)
    expect(service.takeComplaints(), 'replies that the service never gives').toEqual([])
  },
  visit: async ({ tab, browser, service, world: _ }, use, testInfo) => {
    const opened = [tab]
    let tolerated: RegExp | undefined
    await use(async ({ as, path, storage, viewport = DESKTOP, tolerates, hasOwnClock = false }) => {
      tolerated = tolerates
      const own = hasOwnClock ? await openTab(browser, service.url) : undefined
      if (own !== undefined) opened.push(own)
      const { page, calls, toasts, complaints } = own ?? tab
      await own?.page.clock.install()
      await page.setViewportSize(viewport)
      if (!page.url().endsWith(QUIET_PLACE)) await page.goto(QUIET_PLACE)
      const entries = { ...(as === undefined ? {} : { authToken: tokenOf(as) }), ...storage }
      await page.evaluate(fillStorage, entries)
      for (const list of [calls, toasts, complaints]) list.length = 0
      await page.goto(path)
      return { page, calls, toasts }
    })
    if (testInfo.status !== testInfo.expectedStatus) console.log(opened.map(describe).join('\n'))
    const [, ...own] = opened
    for (const { context } of own) await context.close()
    // Ends whatever the page still does.
    await tab.page.goto(QUIET_PLACE)
    const unexpected = opened
      .flatMap(({ complaints }) => complaints.splice(0))
      .filter((text) => tolerated?.test(text) !== true)
    expect(unexpected, 'unexpected console messages and errors').toEqual([])
  },
})

/** Describes a tab, so that a failure can be investigated without a screenshot. */
function describe({ page, toasts, calls }: OpenPage): string {
  const newest = calls.slice(-12).map(({ method, path }) => `  ${method} ${path}`)
  return [`On ${page.url()}, toasts: ${JSON.stringify(toasts)}`, ...newest].join('\n')
}

/** The session token by which the service of pages recognises its owner. */
function tokenOf(role: Role): string {
  const route = role === 'admin' ? 'GET /api/auth/me admin' : 'GET /api/auth/me'
  return `${role}.${recordedReply<{ tron_address: string }>(route).tron_address}`
}

function fillStorage(entries: Record<string, string>): void {
  localStorage.clear()
  sessionStorage.clear()
  for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
}

async function openTab(browser: Browser, url: string): Promise<OpenPage> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-US',
    timezoneId: 'Asia/Jakarta',
    viewport: DESKTOP,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!NOISE.test(message.type()))
      complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.stack ?? error.message}`))
  const calls = recordCalls(page)
  const toasts = await recordToasts(page)
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  return { page, context, calls, toasts, complaints }
}
