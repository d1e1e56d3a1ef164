import { tronAddressRange } from '@dct/rules/address-prefix'
import type { ReferralKind } from '@dct/rules/referral-shares'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx } from '../../platform/db.ts'
import {
  cappedTotal,
  MAX_COUNTED,
  offsetOf,
  type Paging,
  prefixPattern,
} from '../../platform/lists.ts'
import './referrals.tables.ts'

const SORTS = {
  created_at: sql`c.requested_at`,
  last_claim_date: sql`c.requested_at`,
  tron_address: sql`u.address`,
  email: sql`u.email`,
  bonus_type: sql`c.kind`,
  total_accumulated: sql`c.amount`,
  approve_at: sql`c.approved_at`,
  tx_hash_usdt: sql`c.paid_tx`,
  usdt_address: sql`c.usdt_address`,
} as const
export type ClaimPoolSort = keyof typeof SORTS

export type ClaimPoolFilter = {
  /** Left out: of everybody. */
  userId?: bigint
  kind?: ReferralKind
  search?: string | undefined
  from?: Date
  before?: Date
}
export type ClaimPoolPage = Paging &
  ClaimPoolFilter & { sort_by: ClaimPoolSort; sort_order: 'asc' | 'desc' }

/** One page of referral claims with those who made and approved them: what an order passes over is narrow. */
export async function listClaims(db: DbOrTx, query: ClaimPoolPage) {
  const some = filtered(db, query)
    .select('c.id')
    .limit(MAX_COUNTED + 1)
  const [ids, { found }] = await Promise.all([
    inOrder(isByUser(query) ? ofLiving(filtered(db, query)) : filtered(db, query), query)
      .select('c.id')
      .offset(offsetOf(query))
      .limit(query.limit)
      .execute(),
    db
      .selectFrom(some.as('some'))
      .select((eb) => eb.fn.countAll<bigint>().as('found'))
      .executeTakeFirstOrThrow(),
  ])
  if (ids.length === 0) return { rows: [], ...cappedTotal(found) }
  const page = db.selectFrom('referral_claim as c').where(
    'c.id',
    'in',
    ids.map(({ id }) => id),
  )
  return { rows: await inOrder(described(page), query).execute(), ...cappedTotal(found) }
}

/** All referral claims of a filter, in order. */
export function orderedClaims(db: DbOrTx, query: Omit<ClaimPoolPage, keyof Paging>) {
  return inOrder(described(filtered(db, query)), query)
}

type Claims = ReturnType<typeof filtered>

/** Who ever earned a reward is never removed; the indexes of users are of those who are not. */
function ofLiving(claims: Claims) {
  return claims.innerJoin('app_user as u', 'u.id', 'c.user_id').where('u.deleted_at', 'is', null)
}

function described(claims: Claims) {
  return ofLiving(claims)
    .leftJoin('app_user as a', 'a.id', 'c.approved_by')
    .leftJoin('app_user as f', 'f.id', 'c.first_approved_by')
    .select(['c.id', 'c.kind', 'c.amount', 'c.usdt_address', 'c.requested_at', 'c.state'])
    .select(['c.approved_at', 'c.payout_id', 'c.paid_tx', 'c.end_reason', 'u.address', 'u.email'])
    .select(['a.address as approver', 'f.address as first_approver'])
}

/** Other orders need no look at the users. */
function isByUser({ sort_by }: Pick<ClaimPoolPage, 'sort_by'>): boolean {
  return sort_by === 'tron_address' || sort_by === 'email'
}

function inOrder<T extends Claims>(
  claims: T,
  { sort_by, sort_order }: Pick<ClaimPoolPage, 'sort_by' | 'sort_order'>,
): T {
  return claims.orderBy(SORTS[sort_by], sort_order).orderBy('c.id', sort_order) as T
}
export type ListedClaim = Awaited<ReturnType<ReturnType<typeof orderedClaims>['execute']>>[number]

function filtered(db: DbOrTx, { userId, kind, search, from, before }: ClaimPoolFilter) {
  let query = db.selectFrom('referral_claim as c')
  if (userId !== undefined) query = query.where('c.user_id', '=', userId)
  if (kind !== undefined) query = query.where('c.kind', '=', kind)
  if (from !== undefined) query = query.where('c.requested_at', '>=', from)
  if (before !== undefined) query = query.where('c.requested_at', '<', before)
  const text = search?.trim() ?? ''
  return text === '' ? query : query.where(isFound(text))
}

/** What begins like an address for so many signs is no e-mail address. */
const SURE_ADDRESS_LENGTH = 5
const BONUS_NAMES = { direct: 'direct bonus', indirect: 'non-direct bonus' } as const

/**
 * The beginning of a Tron address, e-mail address, transaction hash or BSC address, or a part of the bonus type. Each is
 * looked up in an index of its own.
 */
function isFound(text: string): RawBuilder<boolean> {
  const kinds = (['direct', 'indirect'] as const).filter((kind) =>
    BONUS_NAMES[kind].includes(text.toLowerCase()),
  )
  const range = tronAddressRange(text)
  const digits = /^0x([0-9a-f]{1,64})$/i.exec(text)?.[1]
  const isSure = range !== undefined && text.length >= SURE_ADDRESS_LENGTH
  const users =
    isSure || digits !== undefined
      ? []
      : [sql`lower(u.email) like ${prefixPattern(text.toLowerCase())}`]
  if (range !== undefined) {
    users.push(sql`u.address between ${Buffer.from(range.from)} and ${Buffer.from(range.to)}`)
  }
  const found = users.map(
    (isMeant) => sql`
      select f.id from app_user u join referral_claim f on f.user_id = u.id
      where u.deleted_at is null and ${isMeant}`,
  )
  if (digits !== undefined) {
    found.push(withDigits('paid_tx', digits, 64))
    if (digits.length <= 40) found.push(withDigits('usdt_address', digits, 40))
  }
  const named = sql.join(found, sql` union all `)
  if (kinds.length > 0) return sql`(c.kind in (${sql.join(kinds)}) or c.id in (${named}))`
  // Found first, and then put in order: walking an order until ten of few are met could take all claims.
  return sql`c.id = any(array(${named}))`
}

function withDigits(column: string, digits: string, length: number): RawBuilder<unknown> {
  return sql`
    select id from referral_claim f
    where ${sql.ref(`f.${column}`)} between ${hexFrom(digits, length, '0')} and ${hexFrom(digits, length, 'f')}`
}

function hexFrom(digits: string, length: number, fill: string): Buffer {
  return Buffer.from(digits.padEnd(length, fill), 'hex')
}
