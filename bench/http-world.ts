import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../apps/server/src/platform/database/db.ts'
import { addressOf } from './admin-rows.ts'

/** The caller: any holder, a holder with referrals, or an admin. */
export type Asker = 'holder' | 'referrer' | 'admin'

/** A single call, or the calls that a page makes one after the other. */
export type Route = { name: string; asker: Asker; paths: readonly string[] }

const DASHBOARD = [
  '/api/auth/me',
  '/api/user/earnings?page=1&limit=10&sort_by=start_date&sort_order=desc',
  '/api/user/claimable-reward',
  '/api/user/pending-claim-fees?page=1&limit=10&sort_by=claim_date&sort_order=desc&is_paid=false',
] as const
const [ME, EARNINGS, CLAIMABLE, PENDING_FEES] = DASHBOARD

/** Holders keep this page open, so it is measured with more processes than the others. */
export const DASHBOARD_ROUTE: Route = { name: 'dashboard', asker: 'holder', paths: DASHBOARD }
export const ROUTES: readonly Route[] = [
  DASHBOARD_ROUTE,
  { name: 'signed-in user', asker: 'holder', paths: [ME] },
  { name: 'changes', asker: 'holder', paths: ['/api/user/changes'] },
  { name: 'earnings', asker: 'holder', paths: [EARNINGS] },
  { name: 'claimable rewards', asker: 'holder', paths: [CLAIMABLE] },
  { name: 'pending fees', asker: 'holder', paths: [PENDING_FEES] },
  { name: 'referral list', asker: 'referrer', paths: ['/api/auth/referrals?page=1&limit=10'] },
  { name: 'admin: users', asker: 'admin', paths: ['/api/admin/users?page=1&limit=10'] },
  { name: 'admin: payouts', asker: 'admin', paths: ['/api/admin/payouts?page=1&limit=10'] },
  { name: 'health', asker: 'holder', paths: ['/api/health'] },
]

/** The number of holders of each kind with a session. */
const MOST = 2_000
const LAST_REFERRER = 1_000
/**
 * Starting at 1 selects users with an open fee: every tenth user has one, and an empty list of fees would be too cheap.
 */
const HAS_OPEN_FEE = 1

/** The ids of the users who make calls; `fillAdminLists` defines what each of them has. */
export function askersOf(asker: Asker, rows: number): number[] {
  if (asker === 'admin') return [1]
  const first = asker === 'referrer' ? 10 : LAST_REFERRER
  const last = asker === 'referrer' ? LAST_REFERRER : rows
  const count = Math.min(MOST, Math.floor((last - first) / 10) - 1)
  return Array.from({ length: count }, (_, n) => first + n * 10 + HAS_OPEN_FEE)
}

/** The bearer token of a user's session. */
export const tokenOf = (user: number) => `bench-${user}`

/** Opens a session for every user who makes calls. */
export async function openSessions(db: Db, rows: number): Promise<void> {
  const users = (['holder', 'referrer', 'admin'] as const).flatMap((one) => askersOf(one, rows))
  const hashes = users.map((user) => createHash('sha256').update(tokenOf(user)).digest())
  await sql`
    insert into auth_session (token_hash, user_id, role, created_at, last_seen_at, expires_at, ends_at, network, user_agent)
    select s.hash, u.id, u.role, now(), now(), now() + interval '3 hours', now() + interval '3 hours', 'bench', 'bench'
    from unnest(${hashes}::bytea[], ${users}::bigint[]) s (hash, user_id)
      join app_user u on u.id = s.user_id`.execute(db)
}

export type Value =
  | { is: 'user' | 'address' | 'null' }
  | { is: 'text'; text: string }
  | { is: 'bytes'; hex: string }
  | { is: 'list'; list: Value[] }
/** A SQL statement of the product with placeholders for the caller's id and address, and whether it prepares it. */
export type Statement = { text: string; values: Value[]; isPrepared: boolean }

/** One row by its key, which any call needs at least. */
export const POINT_PATH = '/point'
export const POINT: Statement = {
  text: 'select id, address, role from app_user where id = $1',
  values: [{ is: 'user' }],
  isPrepared: true,
}

/** Replaces the caller's id and address in a value by placeholders, so that it can be sent for other users. */
export function abstract(value: unknown, user: number): Value {
  if (value === null || value === undefined) return { is: 'null' }
  if (Array.isArray(value)) return { is: 'list', list: value.map((one) => abstract(one, user)) }
  if (Buffer.isBuffer(value)) {
    return value.equals(addressOf(user))
      ? { is: 'address' }
      : { is: 'bytes', hex: value.toString('hex') }
  }
  const text = value instanceof Date ? value.toISOString() : `${value}`
  return text === `${user}` ? { is: 'user' } : { is: 'text', text }
}

/** Fills in a value's placeholders for another user. */
export function valueFor(value: Value, user: number, address: Buffer): unknown {
  switch (value.is) {
    case 'null':
      return null
    case 'user':
      return `${user}`
    case 'address':
      return address
    case 'text':
      return value.text
    case 'bytes':
      return Buffer.from(value.hex, 'hex')
    case 'list':
      return value.list.map((one) => valueFor(one, user, address))
  }
}
