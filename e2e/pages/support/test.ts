import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test'
import { launchBrowser } from '../../support/browser.ts'
import { type Call, recordCalls } from '../../support/calls.ts'
import { recordToasts } from '../../support/record-toasts.ts'
import { type PageService, startPageService } from './page-service.ts'
import { installPageWallet, type PageWallet, WALLET_ENTRY } from './page-wallet.ts'
import { createWorld, recordedReply, type World } from './world.ts'

export { expect }

type Role = 'user' | 'admin'
export type PageVisitOptions = {
  /** Who is signed in; a visitor without it. */
  as?: Role
  /** The login page by default. */
  path?: string
  /** Whether there is a wallet, which belongs to whoever is signed in or else to the holder; there is none by default. */
  wallet?: 'connected' | 'unconnected'
  /** Additional local storage entries. */
  storage?: Record<string, string>
  viewport?: { width: number; height: number }
  /** Lets the test move the page's clock; takes a tab of its own, which costs about as much as the test. */
  hasOwnClock?: boolean
  /** A tab of its own in another kind of browser. */
  context?: BrowserContextOptions
  /** Runs before the page is opened, such as to alter replies on their way; its routes end with the test. */
  routes?(page: Page): Promise<unknown>
  /** Runs before the page is opened in a tab of its own, such as to add scripts. */
  before?(page: Page): Promise<unknown>
  waitUntil?: 'load' | 'commit'
  /** Console messages and errors that the test provokes on purpose. */
  tolerates?: RegExp
}
export type PageVisit = { page: Page; calls: Call[]; toasts: string[]; wallet: PageWallet }

type OpenPage = PageVisit & { context: BrowserContext; complaints: string[] }
type Fixtures = {
  world: World
  /** Opens a page of the product, in the browser tab that all tests of a worker share. */
  visit(options?: PageVisitOptions): Promise<PageVisit>
}
type WorkerFixtures = { browser: Browser; service: PageService; tab: OpenPage }

/** The account of the wallets that can also pay on BSC. */
export const BSC_ACCOUNT = `0x${'1b'.repeat(20)}`
const DESKTOP = { width: 1280, height: 900 }
const NOISE = /^(log|info|debug|dir|table|trace|startGroup|endGroup|count|timeEnd|time|clear)$/
/** What a page logs when a network of the machine comes or goes, such as that of a container. */
const OF_THE_MACHINE = /ERR_NETWORK_CHANGED/
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
    { scope: 'worker', timeout: 300_000 },
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
    await use(async (options = {}) => {
      const { path = '/login', viewport = DESKTOP, waitUntil = 'load' } = options
      const { before, context, tolerates, hasOwnClock } = options
      tolerated = tolerates ?? tolerated
      const isOwn = hasOwnClock === true || before !== undefined || context !== undefined
      const visited = isOwn ? await openTab(browser, service.url, context) : tab
      if (isOwn) opened.push(visited)
      const { page, wallet } = visited
      if (hasOwnClock === true) await page.clock.install()
      if (context?.viewport === undefined) await page.setViewportSize(viewport)
      if (!page.url().endsWith(QUIET_PLACE)) await page.goto(QUIET_PLACE)
      await page.evaluate(fillStorage, entriesOf(options))
      for (const list of [visited.calls, visited.toasts, visited.complaints, wallet.asked])
        list.length = 0
      wallet.answerBy(() => 'yes')
      await options.routes?.(page)
      await before?.(page)
      await page.goto(path, { waitUntil })
      return visited
    })
    if (testInfo.status !== testInfo.expectedStatus) console.log(opened.map(describe).join('\n'))
    const [, ...own] = opened
    for (const { context } of own) await context.close()
    await tab.page.unrouteAll({ behavior: 'ignoreErrors' })
    await tab.context.setOffline(false)
    await leave(tab.page)
    const unexpected = opened
      .flatMap(({ complaints }) => complaints.splice(0))
      .filter((text) => tolerated?.test(text) !== true)
    expect(unexpected, 'unexpected console messages and errors').toEqual([])
  },
})

/**
 * Ends whatever the page still does. A dialog that has just closed goes one step back in the history, which can end this
 * navigation instead.
 */
async function leave(page: Page): Promise<void> {
  await page.goto(QUIET_PLACE).catch(() => page.goto(QUIET_PLACE))
}

/** Describes a tab, so that a failure can be investigated without a screenshot. */
function describe({ page, toasts, calls }: OpenPage): string {
  const newest = calls.slice(-12).map(({ method, path }) => `  ${method} ${path}`)
  return [`On ${page.url()}, toasts: ${JSON.stringify(toasts)}`, ...newest].join('\n')
}

/** The address of the recorded holder or admin. */
export function addressOfRole(role: Role): string {
  const route = role === 'admin' ? 'GET /api/auth/me admin' : 'GET /api/auth/me'
  return recordedReply<{ tron_address: string }>(route).tron_address
}

/** The session token by which the service of pages recognises its owner. */
export function tokenOf(role: Role): string {
  return `${role}.${addressOfRole(role)}`
}

function entriesOf({ as, wallet, storage }: PageVisitOptions): Record<string, string> {
  const tron = addressOfRole(as ?? 'user')
  const entry = { tron, bsc: BSC_ACCOUNT, isConnected: wallet === 'connected' }
  return {
    ...(as && { authToken: tokenOf(as) }),
    ...(wallet && { [WALLET_ENTRY]: JSON.stringify(entry) }),
    ...storage,
  }
}

function fillStorage(entries: Record<string, string>): void {
  localStorage.clear()
  sessionStorage.clear()
  for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
}

async function openTab(
  browser: Browser,
  url: string,
  kind?: BrowserContextOptions,
): Promise<OpenPage> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-US',
    timezoneId: 'Asia/Jakarta',
    viewport: DESKTOP,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
    ...kind,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!NOISE.test(message.type()) && !OF_THE_MACHINE.test(message.text()))
      complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.stack ?? error.message}`))
  const calls = recordCalls(page)
  const toasts = await recordToasts(page)
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  const wallet = await installPageWallet(page)
  return { page, context, calls, toasts, complaints, wallet }
}
