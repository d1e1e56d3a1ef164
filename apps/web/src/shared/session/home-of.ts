import type { User } from '../api/wire.ts'

/** Where each role starts. */
export function homeOf({ role }: Pick<User, 'role'>): string {
  return role === 'admin' ? '/admin/dashboard' : '/dashboard'
}
