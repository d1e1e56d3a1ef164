import { Navigate, Route, Routes, useLocation } from 'react-router'
import { homeOf } from '../shared/session/home-of.ts'
import { useSession } from '../shared/session/session.tsx'
import { Frame, PageSkeleton } from './frame.tsx'
import { ADMIN_PAGES, Lost, OPEN_PAGES, StepUpArea, TxArea, USER_PAGES } from './pages.ts'
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
  const { search } = useLocation()
  if (status === 'loading') return <PageSkeleton />
  if (!user && search !== '') return <Lost />
  return <Navigate to={user ? homeOf(user) : '/login'} replace />
}

function routesOf(pages: typeof OPEN_PAGES) {
  return Object.entries(pages).map(([path, Page]) => (
    <Route key={path} path={path} element={<Page />} />
  ))
}
