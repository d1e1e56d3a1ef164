import { tronAddressRange } from '@dct/rules/address-prefix'
import type { ReferralKind } from '@dct/rules/referral-shares'
import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely'
import type { DB, DbOrTx } from '../../platform/db.ts'
import { likePattern, offsetOf, type Paging } from '../../platform/lists.ts'
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

/** One page of referral claims with those who made and approved them. */
export async function listClaims(db: DbOrTx, query: ClaimPoolPage) {
  const rows = await orderedClaims(db, query).offset(offsetOf(query)).limit(query.limit).execute()
  const { total } = await filtered(db, query)
    .select((eb) => eb.fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** All referral claims of a filter, in order. */
export function orderedClaims(db: DbOrTx, query: Omit<ClaimPoolPage, keyof Paging>) {
  return filtered(db, query)
    .leftJoin('app_user as a', 'a.id', 'c.approved_by')
    .leftJoin('app_user as f', 'f.id', 'c.first_approved_by')
    .select(['c.id', 'c.kind', 'c.amount', 'c.usdt_address', 'c.requested_at', 'c.state'])
    .select(['c.approved_at', 'c.payout_id', 'c.paid_tx', 'c.end_reason', 'u.address', 'u.email'])
    .select(['a.address as approver', 'f.address as first_approver'])
    .orderBy(SORTS[query.sort_by], query.sort_order)
    .orderBy('c.id', query.sort_order)
}
export type ListedClaim = Awaited<ReturnType<typeof listClaims>>['rows'][number]

function filtered(db: DbOrTx, { userId, kind, search, from, before }: ClaimPoolFilter) {
  let query = db.selectFrom('referral_claim as c').innerJoin('app_user as u', 'u.id', 'c.user_id')
  if (userId !== undefined) query = query.where('c.user_id', '=', userId)
  if (kind !== undefined) query = query.where('c.kind', '=', kind)
  if (from !== undefined) query = query.where('c.requested_at', '>=', from)
  if (before !== undefined) query = query.where('c.requested_at', '<', before)
  const text = search?.trim() ?? ''
  return text === '' ? query : query.where((eb) => isFound(eb, text))
}

type Row = ExpressionBuilder<
  { c: DB['referral_claim']; u: DB['app_user'] } & Omit<DB, 'c' | 'u'>,
  'c' | 'u'
>

/** The beginning of a Tron address, transaction hash or BSC address; a part of an e-mail or type. */
function isFound(eb: Row, text: string): ExpressionWrapper<DB, never, SqlBool> {
  const pattern = likePattern(text)
  const bonusType = sql<string>`case c.kind when 'direct' then 'direct bonus' else 'non-direct bonus' end`
  const found = [eb('u.email', 'ilike', pattern), eb(bonusType, 'ilike', pattern)]
  const range = tronAddressRange(text)
  if (range !== undefined) {
    found.push(eb.between('u.address', Buffer.from(range.from), Buffer.from(range.to)))
  }
  const digits = /^0x([0-9a-f]{1,64})$/i.exec(text)?.[1]
  if (digits !== undefined) {
    found.push(eb.between('c.paid_tx', hexFrom(digits, 64, '0'), hexFrom(digits, 64, 'f')))
    if (digits.length <= 40) {
      found.push(eb.between('c.usdt_address', hexFrom(digits, 40, '0'), hexFrom(digits, 40, 'f')))
    }
  }
  return eb.or(found) as unknown as ExpressionWrapper<DB, never, SqlBool>
}

function hexFrom(digits: string, length: number, fill: string): Buffer {
  return Buffer.from(digits.padEnd(length, fill), 'hex')
}
