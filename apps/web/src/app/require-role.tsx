import { useEffect } from 'react'
import { Navigate, Outlet } from 'react-router'
import type { User } from '../shared/api/wire.ts'
import { useSession } from '../shared/session/session.tsx'
import { toast } from '../shared/ui/toast-store.ts'
import { PageSkeleton } from './frame.tsx'

const DENIED = 'Access denied. Please log in with the right account.'

/** Lets one role in. Nobody signed in: to the login. The wrong role: told so, logged out, to the login. */
export function RequireRole({ allowed }: { allowed: User['role'] }) {
  const { status, user, signOut } = useSession()
  const isWrongRole = user !== undefined && user.role !== allowed
  useEffect(() => {
    if (!isWrongRole) return
    signOut()
    toast.warning(DENIED)
  }, [isWrongRole, signOut])

  if (status === 'loading' || isWrongRole) return <PageSkeleton />
  return user ? <Outlet /> : <Navigate to="/login" replace />
}
