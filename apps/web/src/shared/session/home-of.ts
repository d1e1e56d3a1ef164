import type { User } from '../api/wire.ts'

/** Each role's start page. */
export function homeOf({ role }: Pick<User, 'role'>): string {
  return role === 'admin' ? '/admin/dashboard' : '/dashboard'
}
