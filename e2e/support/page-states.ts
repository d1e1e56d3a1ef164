import type { Page } from '@playwright/test'
import type { Shot, Who } from './gallery.ts'
import { alter, breakDown, FAILED_CALLS } from './provoke.ts'

/** The pages and tabs that show data from the service, each with the role that opens it. */
const PAGES: Readonly<Record<string, readonly [Who, string]>> = {
  dashboard: ['holder', '/dashboard'],
  join: ['holder', '/dashboard?tab=join'],
  claim: ['holder', '/dashboard?tab=claim'],
  activity: ['holder', '/activity'],
  referrals: ['holder', '/referrals'],
  account: ['holder', '/user'],
  messages: ['holder', '/messages'],
  transparency: ['holder', '/transparency'],
  status: ['holder', '/status'],
  'terms-page': ['holder', '/terms'],
  'admin-dashboard': ['admin', '/admin/dashboard'],
  'admin-users': ['admin', '/admin/dashboard?tab=users'],
  'admin-transactions': ['admin', '/admin/dashboard?tab=transactions'],
  'admin-plans': ['admin', '/admin/dashboard?tab=plans'],
  'admin-reward-history': ['admin', '/admin/reward-history'],
  'admin-claim-history': ['admin', '/admin/claim-history'],
  'admin-claim-pool': ['admin', '/admin/referral-claim-pool'],
  'admin-approvals': ['admin', '/admin/operations?tab=approvals'],
  'admin-close': ['admin', '/admin/control?tab=close'],
  'admin-terms': ['admin', '/admin/control?tab=terms'],
  'admin-money': ['admin', '/admin/control?tab=money'],
  'admin-payments': ['admin', '/admin/operations?tab=payments'],
  'admin-payouts': ['admin', '/admin/operations?tab=payouts'],
  'admin-health': ['admin', '/admin/control?tab=health'],
  'admin-log': ['admin', '/admin/control?tab=log'],
  'admin-price': ['admin', '/admin/control?tab=price'],
}

/** The calls that a page's content depends on. Without the calls of its frame, there would be no page to show. */
const FIGURES = /\/api\/(user|admin|public)\/(?!changes)/

/** The counts that come with an empty list. */
const EMPTY: Readonly<Record<string, number>> = { total: 0, totalPages: 1 }

/** Each page while it is loading, when the service fails, and with empty lists. */
export const PAGE_STATES: readonly Shot[] = Object.entries(PAGES).flatMap(([page, [who, path]]) => {
  const seen = { who, path, tolerates: FAILED_CALLS, isWhole: true }
  return [
    { ...seen, name: `${page}-loading`, before: holdBack, isBusy: true },
    { ...seen, name: `${page}-failed`, before: (opened) => breakDown(opened, FIGURES) },
    { ...seen, name: `${page}-without-rows`, before: emptyLists },
  ]
})

/** Leaves the calls unanswered. */
async function holdBack(page: Page): Promise<void> {
  await page.route(FIGURES, () => undefined)
}

/** Empties every list in the replies. */
function emptyLists(page: Page): Promise<void> {
  return alter<Record<string, unknown>>(page, FIGURES, (reply) =>
    Object.fromEntries(
      Object.entries(reply).map(([name, value]) => {
        if (Array.isArray(value)) return [name, []]
        return [name, EMPTY[name] ?? value]
      }),
    ),
  )
}
