import { tronAddressRange } from '@dct/rules/address-prefix'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { DB, Db, DbOrTx } from '../../platform/db.ts'
import { cappedTotal, MAX_COUNTED, offsetOf, type Paging } from '../../platform/lists.ts'
import { listPlans } from '../plans/index.ts'
import type { ClaimState } from './claims.tables.ts'
import type { Claim } from './spell-claim.ts'

export type ClaimFilter = {
  userId?: bigint
  staker?: Buffer
  states?: readonly ClaimState[]
  planCode?: string | undefined
  search?: ClaimSearch | undefined
  from?: Date
  before?: Date
}
export type ClaimPage = ClaimFilter & Paging & { sort_by: string; sort_order: 'asc' | 'desc' }

const ORDERS: Readonly<Record<string, keyof Claim | RawBuilder<unknown>>> = {
  claim_date: 'requested_at',
  plan_code: 'plan_code',
  earning_plan_code: 'plan_code',
  tron_address: 'staker',
  claimed_amount: 'amount',
  pending_token_amount: 'amount',
  claim_type: 'kind',
  code_claim: 'code_claim',
  is_paid: 'state',
  unpaid_fee: 'unpaid_fee',
  unpaid_fee_usdt: 'exact_amount',
  deadline: 'deadline',
  trx_hash: sql`coalesce(later_tx, now_tx)`,
}

/** One page of claims. */
export async function listClaims(
  db: Db,
  query: ClaimPage & { isUnpaidFirst?: boolean },
): Promise<{ claims: Claim[]; total: number; isCapped: boolean }> {
  const some = filtered(db, query)
    .select('id')
    .limit(MAX_COUNTED + 1)
  const [claims, { found }] = await Promise.all([
    orderedClaims(db, query).offset(offsetOf(query)).limit(query.limit).execute(),
    db
      .selectFrom(some.as('some'))
      .select((eb) => eb.fn.countAll<bigint>().as('found'))
      .executeTakeFirstOrThrow(),
  ])
  return { claims, ...cappedTotal(found) }
}

/** All claims of a filter, in order. */
export function orderedClaims(
  db: DbOrTx,
  query: Omit<ClaimPage, keyof Paging> & { isUnpaidFirst?: boolean },
) {
  const order = ORDERS[query.sort_by] ?? 'requested_at'
  let claims = filtered(db, query).selectAll()
  if (query.isUnpaidFirst === true) claims = claims.orderBy(sql`state <> 'awaiting_fee'`)
  return claims.orderBy(order, query.sort_order).orderBy('id', query.sort_order)
}

function filtered(db: DbOrTx, filter: ClaimFilter): SelectQueryBuilder<DB, 'claim', object> {
  const { userId, staker, states, planCode, from, before } = filter
  let query = db.selectFrom('claim')
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (staker !== undefined) query = query.where('staker', '=', staker)
  if (states !== undefined) query = query.where('state', 'in', [...states])
  if (planCode !== undefined && planCode !== '') query = query.where('plan_code', '=', planCode)
  if (from !== undefined) query = query.where('requested_at', '>=', from)
  if (before !== undefined) query = query.where('requested_at', '<', before)
  return filter.search === undefined ? query : searched(query, filter.search)
}

/** So many signs of an address are no part of a plan's code by chance. */
const SURE_ADDRESS_LENGTH = 5

export type ClaimSearch =
  | { kind: 'hash'; hash: Buffer }
  | { kind: 'addresses'; from: Buffer; to: Buffer }
  | { kind: 'code'; code: string }
  | { kind: 'plans'; codes: readonly string[] }

/**
 * Reads a search text as the hash of any of a claim's transactions, a claim's code, the beginning of
 * an address, or a part of a plan's code. Undefined when it is empty.
 */
export async function readClaimSearch(
  db: DbOrTx,
  search: string | undefined,
): Promise<ClaimSearch | undefined> {
  const text = search?.trim() ?? ''
  if (text === '') return undefined
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1]
  if (digits !== undefined) return { kind: 'hash', hash: Buffer.from(digits, 'hex') }
  const code = text.toUpperCase()
  if (/^CL-[0-9A-F]{1,16}$/.test(code)) return { kind: 'code', code }
  const range = tronAddressRange(text)
  const plans = await listPlans(db)
  const codes = plans.map((plan) => plan.code).filter((planCode) => planCode.includes(code))
  if (range !== undefined && (text.length >= SURE_ADDRESS_LENGTH || codes.length === 0)) {
    return { kind: 'addresses', from: Buffer.from(range.from), to: Buffer.from(range.to) }
  }
  return { kind: 'plans', codes }
}

function searched(
  query: SelectQueryBuilder<DB, 'claim', object>,
  search: ClaimSearch,
): SelectQueryBuilder<DB, 'claim', object> {
  switch (search.kind) {
    case 'hash':
      return query.where((eb) =>
        eb.or([
          eb('fee_tx', '=', search.hash),
          eb('now_tx', '=', search.hash),
          eb('later_tx', '=', search.hash),
        ]),
      )
    case 'addresses':
      return query.where('staker', '>=', search.from).where('staker', '<=', search.to)
    case 'code':
      return query.where('code_claim', '^@', search.code)
    case 'plans':
      return search.codes.length === 0
        ? query.where(sql<boolean>`false`)
        : query.where('plan_code', 'in', [...search.codes])
  }
}

/** The halves that HALF claims of a user in a plan sent at once, newest first. */
export async function earlyHalves(
  db: DbOrTx,
  key: { userId: bigint; planCode: string },
): Promise<Claim[]> {
  return db
    .selectFrom('claim')
    .selectAll()
    .where('user_id', '=', key.userId)
    .where('plan_code', '=', key.planCode)
    .where('now_amount', '>', 0n)
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1_000)
    .execute()
}

/** The transactions that holders named for these claims. */
export async function hintsOf(db: DbOrTx, claimIds: readonly bigint[]) {
  if (claimIds.length === 0) return new Map<bigint, never>()
  const rows = await db
    .selectFrom('fee_hint')
    .selectAll()
    .where('claim_id', 'in', [...claimIds])
    .execute()
  return new Map(rows.map((row) => [row.claim_id, row]))
}

/** The newest payment for each of these claims that does not settle it. */
export async function mismatchesOf(db: DbOrTx, claimIds: readonly bigint[]) {
  if (claimIds.length === 0) return new Map<bigint, never>()
  const rows = await db
    .selectFrom('usdt_receipt')
    .distinctOn('nearest_claim_id')
    .select(['nearest_claim_id', 'tx_hash', 'amount'])
    .where('nearest_claim_id', 'in', [...claimIds])
    .where('state', '=', 'unmatched')
    .orderBy('nearest_claim_id')
    .orderBy('block_number', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.nearest_claim_id, row]))
}
