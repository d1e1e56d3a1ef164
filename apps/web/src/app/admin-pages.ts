import type { ComponentType } from 'react'

/** The admin pages by the last segment of their path, each in a separate chunk. */
export const ADMIN_LOADS = {
  dashboard: async () => (await import('./pages/admin-dashboard-page.tsx')).AdminDashboardPage,
  activity: async () => (await import('./pages/activity-page.tsx')).AdminActivityPage,
  'reward-history': async () =>
    (await import('./pages/admin-reward-history-page.tsx')).AdminRewardHistoryPage,
  'claim-history': async () =>
    (await import('./pages/admin-claim-history-page.tsx')).AdminClaimHistoryPage,
  'referral-claim-pool': async () =>
    (await import('./pages/admin-claim-pool-page.tsx')).AdminClaimPoolPage,
  control: async () => (await import('./pages/admin-control-page.tsx')).AdminControlPage,
  'cases/:code': async () => (await import('./pages/admin-case-page.tsx')).AdminCasePage,
  operations: async () => (await import('./pages/admin-operations-page.tsx')).AdminOperationsPage,
} as const satisfies Readonly<Record<string, () => Promise<ComponentType>>>
