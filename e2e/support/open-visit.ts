import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { type Call, recordCalls } from './calls.ts'
import { recordToasts } from './record-toasts.ts'

export type VisitOptions = {
  /** Whose wallet is in the browser and who is signed in. Without it: a visitor without a wallet. */
  as?: OutsideHolder
  /** `approving` (the default) approves everything, `asking` shows pop-ups; the others are not connected to the site. */
  wallet?: 'approving' | 'asking' | 'unconnected' | 'locked' | 'absent'
  /** By default true if `as` is given. */
  isSignedIn?: boolean
  /** Additional local storage entries. */
  storage?: Record<string, string>
  context?: BrowserContextOptions
  /** Off by default: few visits need one, and each would download the whole app for it. */
  hasServiceWorker?: boolean
  /** Console messages and errors that the test provokes on purpose. */
  tolerates?: RegExp
  /** Runs before the page is opened, for example to set up routes, the clock or scripts. */
  before?(page: Page): Promise<unknown>
  /** The login page by default. */
  path?: string
  /** `commit` for a page some of whose scripts are held back: the visit then begins before they have loaded. */
  waitUntil?: 'load' | 'commit'
}

export type Visit = {
  page: Page
  /** Every request of the page to the service and to the chains' nodes, oldest first. */
  calls: Call[]
  /** The text of every toast ever shown, oldest first, including those that have closed. */
  toasts: string[]
  complaints: string[]
}

const NOISE = /^(log|info|debug|dir|table|trace|startGroup|endGroup|count|timeEnd|time|clear)$/

/** Opens a page in a separate browser context for one person. */
export async function openVisit(
  { browser, url }: { browser: Browser; url: string },
  options: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: url,
    locale: 'en-US',
    timezoneId: 'Asia/Jakarta',
    viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options.context,
  })
  const page = await context.newPage()
  await page.addInitScript(fillStorage, { origin: url, entries: storedFor(options) })
  const complaints: string[] = []
  const complain = (text: string) => {
    if (options.tolerates?.test(text) !== true) complaints.push(text)
  }
  page.on('console', (message) => {
    if (!NOISE.test(message.type())) {
      complain(`${message.type()}: ${message.text()} (${message.location().url})`)
    }
  })
  page.on('pageerror', (error) => complain(`uncaught: ${error.stack ?? error.message}`))
  const calls = recordCalls(page)
  const toasts = await recordToasts(page)
  if (options.hasServiceWorker !== true) {
    await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  }
  await options.before?.(page)
  const { path = '/login', waitUntil = 'load' } = options
  await page.goto(path, { waitUntil })
  return { page, calls, toasts, complaints }
}

/**
 * Fills the local storage before the first script of the page. As the context's storage state it would take another
 * page, and a tenth of a visit's time.
 */
function fillStorage({ origin, entries }: { origin: string; entries: Record<string, string> }) {
  if (location.origin !== origin || sessionStorage.getItem('isStorageFilled') !== null) return
  sessionStorage.setItem('isStorageFilled', 'yes')
  for (const [name, value] of Object.entries(entries)) localStorage.setItem(name, value)
}

function storedFor(options: VisitOptions): Record<string, string> {
  const { as: person, wallet = 'approving', isSignedIn = true } = options
  if (!person) return options.storage ?? {}
  const settings = {
    account: person.address,
    importedAccounts: [{ ...person.account, name: 'Imported', role: 'imported' }],
    isLocked: wallet === 'locked',
    isConnected: wallet !== 'unconnected',
    isAutoApproving: wallet === 'approving',
  }
  return {
    ...(wallet === 'absent'
      ? {}
      : {
          developmentWallet: 'on',
          developmentWalletSettings: JSON.stringify(settings),
        }),
    ...(isSignedIn ? { authToken: person.token } : {}),
    ...options.storage,
  }
}
