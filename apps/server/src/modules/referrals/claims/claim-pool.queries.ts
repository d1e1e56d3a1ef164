import { readAddressSearch, readHexSearch } from '@dct/rules/binary-search-text'
import type { ReferralKind } from '@dct/rules/referral-shares'
import { type RawBuilder, sql } from 'kysely'
import { fitsAddress, fitsHex } from '../../../platform/database/binary-search.ts'
import type { ReadDb } from '../../../platform/database/db.ts'
import {
  cappedTotal,
  MAX_COUNTED,
  offsetOf,
  type Paging,
  prefixPattern,
} from '../../../platform/http/lists.ts'
import { own } from '../referrals.tables.ts'

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
  /** If absent, claims of all users. */
  userId?: bigint
  kind?: ReferralKind
  search?: string | undefined
  from?: Date
  before?: Date
}
export type ClaimPoolPage = Paging &
  ClaimPoolFilter & { sort_by: ClaimPoolSort; sort_order: 'asc' | 'desc' }

/**
 * One page of referral claims with their claimants and approvers. Selects the ids of the page first, so that skipped
 * rows are narrow.
 */
export async function listClaims(db: ReadDb, query: ClaimPoolPage) {
  const some = filtered(db, query)
    .select('c.id')
    .limit(MAX_COUNTED + 1)
  const [ids, { found }] = await Promise.all([
    inOrder(isByUser(query) ? ofLiving(filtered(db, query)) : filtered(db, query), query)
      .select('c.id')
      .offset(offsetOf(query))
      .limit(query.limit)
      .execute(),
    own(db)
      .selectFrom(some.as('some'))
      .select((eb) => eb.fn.countAll<bigint>().as('found'))
      .executeTakeFirstOrThrow(),
  ])
  if (ids.length === 0) return { rows: [], ...cappedTotal(found) }
  const page = own(db)
    .selectFrom('referral_claim as c')
    .where(
      'c.id',
      'in',
      ids.map(({ id }) => id),
    )
  return { rows: await inOrder(described(page), query).execute(), ...cappedTotal(found) }
}

/** All matching referral claims, in order. */
export function orderedClaims(db: ReadDb, query: Omit<ClaimPoolPage, keyof Paging>) {
  return inOrder(described(filtered(db, query)), query)
}

type Claims = ReturnType<typeof filtered>

/**
 * A user who ever earned a reward is never removed, so this drops no rows; the indexes of users cover only users that
 * are not deleted.
 */
function ofLiving(claims: Claims) {
  return claims
    .innerJoin('app_user_view as u', 'u.id', 'c.user_id')
    .where('u.deleted_at', 'is', null)
}

function described(claims: Claims) {
  return ofLiving(claims)
    .leftJoin('app_user_view as a', 'a.id', 'c.approved_by')
    .leftJoin('proposal_view as p', (join) =>
      join.onRef('p.subject', '=', 'c.id').on('p.kind', '=', sql.lit('referral_claim')),
    )
    .leftJoin('app_user_view as f', (join) =>
      join.on('f.id', '=', (eb) => eb.fn.coalesce('c.first_approved_by', 'p.proposed_by')),
    )
    .select(['c.id', 'c.kind', 'c.amount', 'c.usdt_address', 'c.requested_at', 'c.state'])
    .select(['c.approved_at', 'c.payout_id', 'c.paid_tx', 'c.end_reason', 'u.address', 'u.email'])
    .select(['a.address as approver', 'f.address as first_approver'])
}

/** Other sort orders need no join with the users. */
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

function filtered(db: ReadDb, { userId, kind, search, from, before }: ClaimPoolFilter) {
  let query = own(db).selectFrom('referral_claim as c')
  if (userId !== undefined) query = query.where('c.user_id', '=', userId)
  if (kind !== undefined) query = query.where('c.kind', '=', kind)
  if (from !== undefined) query = query.where('c.requested_at', '>=', from)
  if (before !== undefined) query = query.where('c.requested_at', '<', before)
  const text = search?.trim() ?? ''
  return text === '' ? query : query.where(isFound(text))
}

const BONUS_NAMES = { direct: 'direct bonus', indirect: 'non-direct bonus' } as const
const HASH_BYTES = 32
const EVM_ADDRESS_BYTES = 20

/**
 * Matches the beginning of an e-mail address; the beginning, the end or the shortened form of a Tron address, a
 * transaction hash or a BSC address; or a part of the bonus type. Each has its own index.
 */
function isFound(text: string): RawBuilder<boolean> {
  const kinds = (['direct', 'indirect'] as const).filter((kind) =>
    BONUS_NAMES[kind].includes(text.toLowerCase()),
  )
  const address = readAddressSearch(text)
  const hash = readHexSearch(text, HASH_BYTES)
  const receiver = readHexSearch(text, EVM_ADDRESS_BYTES)
  const users = [
    sql`lower(u.email) like ${prefixPattern(text.toLowerCase())}`,
    ...(address === undefined ? [] : [fitsAddress(sql.ref('u.address'), address)]),
  ]
  const found = [
    ...users.map(
      (isMeant) => sql`
        select f.id from app_user_view u join referral_claim f on f.user_id = u.id
        where u.deleted_at is null and ${isMeant}`,
    ),
    ...(hash === undefined ? [] : [claimsWhere(fitsHex(sql.ref('f.paid_tx'), hash))]),
    ...(receiver === undefined ? [] : [claimsWhere(fitsHex(sql.ref('f.usdt_address'), receiver))]),
  ]
  const named = sql.join(found, sql` union all `)
  if (kinds.length > 0) return sql`(c.kind in (${sql.join(kinds)}) or c.id in (${named}))`
  // Finds the claims first and sorts them afterwards: walking an index in sort order until ten are found could visit
  // all claims.
  return sql`c.id = any(array(${named}))`
}

function claimsWhere(isMeant: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`select f.id from referral_claim f where ${isMeant}`
}
