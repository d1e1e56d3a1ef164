import type { Path } from 'react-router'
import type { User } from '../api/wire.ts'

/** The page on which a user's session ended, and the role that may open it. */
export type ReturnPlace = { role: User['role']; path: string }

/** The state of the navigation to the login that brings the user back afterwards. */
export function returnTo(role: User['role'], { pathname, search, hash }: Path): ReturnPlace {
  return { role, path: `${pathname}${search}${hash}` }
}

/** Reads it back from that navigation; undefined if the login was opened in another way. */
export function returnPlaceOf(state: unknown): ReturnPlace | undefined {
  const { role, path } = (state ?? {}) as Partial<ReturnPlace>
  return role !== undefined && path !== undefined ? { role, path } : undefined
}
