import type { ComponentType } from 'react'

type Pages = Readonly<Record<string, () => Promise<ComponentType>>>

const about = () => import('./pages/about-pages.tsx')
const noticeLinks = () => import('./pages/notice-link-pages.tsx')

/** Every page by its path. Each is its own chunk, so that only admins fetch admin code. */
export const OPEN_PAGES: Pages = {
  '/login': async () => (await import('./pages/login-page.tsx')).LoginPage,
  '/register': async () => (await import('./pages/register-page.tsx')).RegisterPage,
  '/transparency': async () => (await import('./pages/transparency-page.tsx')).TransparencyPage,
  '/terms': async () => (await about()).TermsPage,
  '/questions': async () => (await about()).QuestionsPage,
  '/status': async () => (await about()).StatusPage,
  '/security': async () => (await about()).SecurityPage,
  '/confirm-email': async () => (await noticeLinks()).ConfirmEmailPage,
  '/unsubscribe': async () => (await noticeLinks()).UnsubscribePage,
  '/support/case/:token': async () =>
    (await import('./pages/support-case-page.tsx')).SupportCasePage,
}

export const USER_PAGES: Pages = {
  '/dashboard': async () => (await import('./pages/dashboard-page.tsx')).DashboardPage,
  '/activity': async () => (await import('./pages/activity-page.tsx')).ActivityPage,
  '/referrals': async () => (await import('./pages/referrals-page.tsx')).ReferralsPage,
  '/user': async () => (await import('./pages/account-page.tsx')).AccountPage,
  '/notifications': async () => (await import('./pages/notifications-page.tsx')).NotificationsPage,
}

const ADMIN_NAMES = [
  'dashboard',
  'activity',
  'reward-history',
  'claim-history',
  'referral-claim-pool',
  'control',
  'cases/:code',
  'operations',
] as const

/** What these consist of is listed in a chunk of its own, which only admins fetch. */
export const ADMIN_PAGES: Pages = Object.fromEntries(
  ADMIN_NAMES.map((name) => [
    `/admin/${name}`,
    async () => (await import('./admin-pages.ts')).ADMIN_LOADS[name](),
  ]),
)

/** Loads the frame shared by the pages with money actions. */
export const loadTxArea = async (): Promise<ComponentType> => (await import('./tx-area.tsx')).TxArea

/** Prefetches the opened page's code while the session query is still running. */
export function fetchOpenedPage(path: string, isSignedIn: boolean): void {
  const open = OPEN_PAGES[path]
  const own = isSignedIn ? USER_PAGES[path] : undefined
  const loads = open ? [open] : own ? [own, loadTxArea] : []
  // A failed load is retried, and reported, where the page is rendered.
  for (const load of loads) load().catch(() => undefined)
}
