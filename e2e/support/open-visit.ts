import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { type Call, recordCalls } from './calls.ts'
import { recordToasts } from './record-toasts.ts'

export type VisitOptions = {
  /** Whose wallet the browser has, and who is signed in. Nobody: a visitor without a wallet. */
  as?: OutsideHolder
  /** `approving` (default) says yes by itself, `asking` shows its pop-ups; the others are not connected to the site. */
  wallet?: 'approving' | 'asking' | 'unconnected' | 'locked' | 'absent'
  /** Default: yes, where there is somebody. */
  isSignedIn?: boolean
  /** Further entries of local storage. */
  storage?: Record<string, string>
  context?: BrowserContextOptions
  /** Complaints that belong to what the test provokes. */
  tolerates?: RegExp
  /** Runs before the page is opened: routes, clock, scripts. */
  before?(page: Page): Promise<unknown>
  /** Default: the login page. */
  path?: string
}

export type Visit = {
  page: Page
  /** Every call of the page to the service and to the chains' nodes, oldest first. */
  calls: Call[]
  /** The words of every notice that was shown, also of those that have closed, oldest first. */
  toasts: string[]
  complaints: string[]
}

const NOISE = /^(log|info|debug|dir|table|trace|startGroup|endGroup|count|timeEnd|time|clear)$/

/** Opens a browser of one's own for one person and goes to a page. */
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
    storageState: {
      cookies: [],
      origins: [{ origin: url, localStorage: entriesOf(storedFor(options)) }],
    },
  })
  const page = await context.newPage()
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
  await options.before?.(page)
  await page.goto(options.path ?? '/login')
  return { page, calls, toasts, complaints }
}

function storedFor(options: VisitOptions): Record<string, string> {
  const { as: person, wallet = 'approving', isSignedIn = true } = options
  if (!person) return options.storage ?? {}
  const settings = {
    account: person.address,
    importedKeys: [person.account.tron_private_key.replace(/^0x/, '')],
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

function entriesOf(record: Record<string, string>): { name: string; value: string }[] {
  return Object.entries(record).map(([name, value]) => ({ name, value }))
}
