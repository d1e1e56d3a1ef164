import { useEffect } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import type { User } from '../shared/api/wire.ts'
import { returnTo } from '../shared/session/return-place.ts'
import { useSession } from '../shared/session/session.tsx'
import { toast } from '../shared/ui/toast-store.ts'
import { FRAME_WORDING } from './frame.texts.ts'
import { PageSkeleton } from './frame.tsx'

/**
 * Admits one role. Visitors go to the login page; users with the wrong role see a warning, are logged out, and go there
 * too.
 */
export function RequireRole({ allowed }: { allowed: User['role'] }) {
  const { status, user, hasExpired, signOut } = useSession()
  const place = useLocation()
  const isWrongRole = user !== undefined && user.role !== allowed
  useEffect(() => {
    if (!isWrongRole) return
    signOut()
    toast.warning(FRAME_WORDING.denied)
  }, [isWrongRole, signOut])

  if (status === 'loading' || isWrongRole) return <PageSkeleton />
  if (user) return <Outlet />
  return <Navigate to="/login" replace state={hasExpired ? returnTo(allowed, place) : null} />
}
