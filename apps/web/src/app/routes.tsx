import { lazy } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { Frame } from './frame.tsx'
import { RequireRole } from './require-role.tsx'

const LoginPage = lazy(async () => ({
  default: (await import('./pages/login-page.tsx')).LoginPage,
}))
const RegisterPage = lazy(async () => ({
  default: (await import('./pages/register-page.tsx')).RegisterPage,
}))
const TransparencyPage = lazy(async () => ({
  default: (await import('./pages/transparency-page.tsx')).TransparencyPage,
}))
const SupportCasePage = lazy(async () => ({
  default: (await import('./pages/support-case-page.tsx')).SupportCasePage,
}))
const AdminControlPage = lazy(async () => ({
  default: (await import('./pages/admin-control-page.tsx')).AdminControlPage,
}))
const AdminCasePage = lazy(async () => ({
  default: (await import('./pages/admin-case-page.tsx')).AdminCasePage,
}))
const TxArea = lazy(async () => ({ default: (await import('./tx-area.tsx')).TxArea }))
const StepUpArea = lazy(async () => ({
  default: (await import('../features/admin-step-up/step-up-area.tsx')).StepUpArea,
}))
const DashboardPage = lazy(async () => ({
  default: (await import('./pages/dashboard-page.tsx')).DashboardPage,
}))
const ReferralsPage = lazy(async () => ({
  default: (await import('./pages/referrals-page.tsx')).ReferralsPage,
}))
const AccountPage = lazy(async () => ({
  default: (await import('./pages/account-page.tsx')).AccountPage,
}))
const AdminDashboardPage = lazy(async () => ({
  default: (await import('./pages/admin-dashboard-page.tsx')).AdminDashboardPage,
}))
const AdminRewardHistoryPage = lazy(async () => ({
  default: (await import('./pages/admin-reward-history-page.tsx')).AdminRewardHistoryPage,
}))
const AdminClaimHistoryPage = lazy(async () => ({
  default: (await import('./pages/admin-claim-history-page.tsx')).AdminClaimHistoryPage,
}))
const AdminClaimPoolPage = lazy(async () => ({
  default: (await import('./pages/admin-claim-pool-page.tsx')).AdminClaimPoolPage,
}))
const AdminOperationsPage = lazy(async () => ({
  default: (await import('./pages/admin-operations-page.tsx')).AdminOperationsPage,
}))

/** Who may see which page. Admin code is fetched by admins alone: each page is a chunk of its own. */
export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Frame />}>
        <Route path="/login" element={<LoginPage />} />
        <Route path="/register" element={<RegisterPage />} />
        <Route path="/transparency" element={<TransparencyPage />} />
        <Route path="/support/case/:token" element={<SupportCasePage />} />
        <Route element={<RequireRole allowed="user" />}>
          <Route element={<TxArea />}>
            <Route path="/dashboard" element={<DashboardPage />} />
            <Route path="/referrals" element={<ReferralsPage />} />
            <Route path="/user" element={<AccountPage />} />
          </Route>
        </Route>
        <Route element={<RequireRole allowed="admin" />}>
          <Route element={<TxArea />}>
            <Route element={<StepUpArea />}>
              <Route path="/admin/dashboard" element={<AdminDashboardPage />} />
              <Route path="/admin/reward-history" element={<AdminRewardHistoryPage />} />
              <Route path="/admin/claim-history" element={<AdminClaimHistoryPage />} />
              <Route path="/admin/referral-claim-pool" element={<AdminClaimPoolPage />} />
              <Route path="/admin/control" element={<AdminControlPage />} />
              <Route path="/admin/cases/:code" element={<AdminCasePage />} />
              <Route path="/admin/operations" element={<AdminOperationsPage />} />
            </Route>
          </Route>
        </Route>
        <Route path="*" element={<Navigate to="/login" replace />} />
      </Route>
    </Routes>
  )
}
