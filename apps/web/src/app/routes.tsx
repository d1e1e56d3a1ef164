import { readReferralLink } from '@dct/rules/referral-code'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { homeOf } from '../shared/session/home-of.ts'
import { useSession } from '../shared/session/session.tsx'
import { Frame, PageSkeleton } from './frame.tsx'
import { ADMIN_PAGES, OPEN_PAGES, StepUpArea, TxArea, USER_PAGES } from './pages.ts'
import { RequireRole } from './require-role.tsx'

const openRoutes = routesOf(OPEN_PAGES)
const userRoutes = routesOf(USER_PAGES)
const adminRoutes = routesOf(ADMIN_PAGES)

/** The routes, and which role may open each. */
export function AppRoutes() {
  return (
    <Routes>
      <Route element={<Frame />}>
        {openRoutes}
        <Route element={<RequireRole allowed="user" />}>
          <Route element={<TxArea />}>{userRoutes}</Route>
        </Route>
        <Route element={<RequireRole allowed="admin" />}>
          <Route element={<TxArea />}>
            <Route element={<StepUpArea />}>{adminRoutes}</Route>
          </Route>
        </Route>
        <Route path="/" element={<Start />} />
        <Route path="*" element={<Lost />} />
      </Route>
    </Routes>
  )
}

/** The root path: redirects signed-in users to their home page, and visitors to the login page. */
function Start() {
  const { status, user } = useSession()
  if (status === 'loading') return <PageSkeleton />
  return user ? <Navigate to={homeOf(user)} replace /> : <Lost />
}

/** A path without a page: the registration if it is what is left of a referral link, otherwise the login. */
function Lost() {
  const { pathname, search, hash } = useLocation()
  const code = readReferralLink(pathname + search + hash)?.code
  return <Navigate to={code === undefined ? '/login' : `/register?ref=${code}`} replace />
}

function routesOf(pages: typeof OPEN_PAGES) {
  return Object.entries(pages).map(([path, Page]) => (
    <Route key={path} path={path} element={<Page />} />
  ))
}
