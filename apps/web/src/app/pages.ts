import type { QueryClient } from '@tanstack/react-query'
import { configQuery } from '../shared/config/public-config.ts'
import { sessionQuery } from '../shared/session/session.tsx'
import { tokenStore } from '../shared/session/token-store.ts'
import { type LazyPart, lazyPart } from '../shared/ui/lazy-part.tsx'
import { ADMIN_NAMES, type OPEN_PATHS, type USER_PATHS } from './paths.ts'

type Pages = Readonly<Record<string, LazyPart<object>>>

const about = () => import('./pages/about-pages.tsx')
const messageLinks = () => import('./pages/message-link-pages.tsx')

/** Every page by its path. Each is its own chunk, so that only admins fetch admin code. */
const openPages: Record<(typeof OPEN_PATHS)[number], LazyPart<object>> = {
  '/login': lazyPart(async () => (await import('./pages/login-page.tsx')).LoginPage),
  '/register': lazyPart(async () => (await import('./pages/register-page.tsx')).RegisterPage),
  '/transparency': lazyPart(
    async () => (await import('./pages/transparency-page.tsx')).TransparencyPage,
  ),
  '/terms': lazyPart(async () => (await about()).TermsPage),
  '/privacy': lazyPart(async () => (await about()).PrivacyPage),
  '/questions': lazyPart(async () => (await about()).QuestionsPage),
  '/status': lazyPart(async () => (await about()).StatusPage),
  '/security': lazyPart(async () => (await about()).SecurityPage),
  '/confirm-email': lazyPart(async () => (await messageLinks()).ConfirmEmailPage),
  '/unsubscribe': lazyPart(async () => (await messageLinks()).UnsubscribePage),
  '/support/case/:token': lazyPart(
    async () => (await import('./pages/support-case-page.tsx')).SupportCasePage,
  ),
}

export const OPEN_PAGES: Pages = openPages

const userPages: Record<(typeof USER_PATHS)[number], LazyPart<object>> = {
  '/dashboard': lazyPart(async () => (await import('./pages/dashboard-page.tsx')).DashboardPage),
  '/activity': lazyPart(async () => (await import('./pages/activity-page.tsx')).ActivityPage),
  '/referrals': lazyPart(async () => (await import('./pages/referrals-page.tsx')).ReferralsPage),
  '/user': lazyPart(async () => (await import('./pages/account-page.tsx')).AccountPage),
  '/messages': lazyPart(async () => (await import('./pages/messages-page.tsx')).MessagesPage),
  '/your-data': lazyPart(async () => (await import('./pages/your-data-page.tsx')).YourDataPage),
}

export const USER_PAGES: Pages = userPages

/** Their modules are listed in a separate chunk, which only admins fetch. */
export const ADMIN_PAGES: Pages = Object.fromEntries(
  ADMIN_NAMES.map((name) => [
    `/admin/${name}`,
    lazyPart(async () => (await import('./admin-pages.ts')).ADMIN_LOADS[name]()),
  ]),
)

export const Lost = lazyPart(async () => (await import('./lost.tsx')).Lost)

/** The frame shared by the pages with money actions. */
export const TxArea = lazyPart(async () => (await import('./tx-area.tsx')).TxArea)
export const StepUpArea = lazyPart(
  async () => (await import('../features/admin-step-up/step-up-area.tsx')).StepUpArea,
)

/**
 * Loads what the opened page shows first: its code and the signed-in user; its first figures follow while it is
 * rendered. Failures are left to the page, which retries and reports them.
 */
export async function prepareOpenedPage(path: string, queryClient: QueryClient): Promise<void> {
  const token = tokenStore.get()
  const own = token === null ? undefined : USER_PAGES[path]
  const code = OPEN_PAGES[path] ? [OPEN_PAGES[path]] : own ? [own, TxArea] : []
  await Promise.allSettled([
    queryClient.prefetchQuery(configQuery),
    token !== null && loadSession(path, token, queryClient),
    ...code.map((part) => part.load()),
  ])
}

/** Loads the signed-in user, and requests the figures if the user is a holder: other roles may not have them. */
async function loadSession(path: string, token: string, queryClient: QueryClient): Promise<void> {
  const { user } = await queryClient.fetchQuery(sessionQuery(token))
  if (user.role !== 'user' || path !== '/dashboard') return
  const dashboard = await import('./pages/dashboard-page.tsx')
  void dashboard.loadFirstFigures(queryClient)
}
