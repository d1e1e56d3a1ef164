/** The path of every page. The build lists them for the server, which knows no others. */
export const OPEN_PATHS = [
  '/login',
  '/register',
  '/transparency',
  '/terms',
  '/privacy',
  '/questions',
  '/status',
  '/security',
  '/confirm-email',
  '/unsubscribe',
  '/support/case/:token',
] as const

export const USER_PATHS = [
  '/dashboard',
  '/activity',
  '/referrals',
  '/user',
  '/messages',
  '/your-data',
] as const

export const ADMIN_NAMES = [
  'dashboard',
  'activity',
  'reward-history',
  'claim-history',
  'referral-claim-pool',
  'control',
  'cases/:code',
  'operations',
] as const
