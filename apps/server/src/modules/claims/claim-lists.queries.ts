import type { AdminClaimHistoryQuery, PendingFeesQuery } from '@dct/api-contract/claims'
import { CLAIM_WORDS } from '@dct/api-contract/searched-words'
import { type BinarySearch, readAddressSearch, readHexSearch } from '@dct/rules/binary-search-text'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { anyOf, fitsAddress, fitsHex } from '../../platform/database/binary-search.ts'
import type { ReadDb } from '../../platform/database/db.ts'
import {
  cappedTotal,
  likePattern,
  MAX_COUNTED,
  offsetOf,
  type Paging,
  totalByPage,
} from '../../platform/http/lists.ts'
import { shownDay, showsAmount, showsWord } from '../../platform/shown-text.ts'
import { listPlans } from '../plans/index.ts'
import { type ClaimState, type ClaimsTables, own } from './claims.tables.ts'
import type { Claim } from './serialize-claim.ts'

export type ClaimFilter = {
  userId?: bigint
  staker?: Buffer
  states?: readonly ClaimState[]
  planCode?: string | undefined
  search?: ClaimSearch | undefined
  /** Set for the lists of a single holder, whose search also covers the displayed dates and amounts. */
  dctDecimals?: number
  from?: Date
  before?: Date
}
/** The columns that any list of claims can be sorted by. */
export type ClaimSort =
  | AdminClaimHistoryQuery['sort_by']
  | PendingFeesQuery['sort_by']
  | 'now_amount'
export type ClaimPage = ClaimFilter & Paging & { sort_by: ClaimSort; sort_order: 'asc' | 'desc' }

const ORDERS: Readonly<Record<ClaimSort, keyof Claim | RawBuilder<unknown>>> = {
  claim_date: 'requested_at',
  plan_code: 'plan_code',
  earning_plan_code: 'plan_code',
  tron_address: 'staker',
  claimed_amount: 'amount',
  now_amount: 'now_amount',
  pending_token_amount: 'amount',
  claim_type: 'kind',
  code_claim: 'code_claim',
  is_paid: 'state',
  unpaid_fee: 'unpaid_fee',
  unpaid_fee_usdt: 'unpaid_usdt',
  exact_fee_usdt: 'exact_amount',
  deadline: 'deadline',
  trx_hash: sql`coalesce(later_tx, now_tx)`,
}

/** One page of claims. */
export async function listClaims(
  db: ReadDb,
  query: ClaimPage & { isUnpaidFirst?: boolean },
): Promise<{ claims: Claim[]; total: number; isCapped: boolean }> {
  const claims = await orderedClaims(db, query).offset(offsetOf(query)).limit(query.limit).execute()
  return {
    claims,
    ...cappedTotal(totalByPage(query, claims.length) ?? (await countClaims(db, query))),
  }
}

/** Counts to one more than `MAX_COUNTED`. */
async function countClaims(db: ReadDb, filter: ClaimFilter): Promise<bigint> {
  const some = filtered(db, filter)
    .select('id')
    .limit(MAX_COUNTED + 1)
  const { found } = await own(db)
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<bigint>().as('found'))
    .executeTakeFirstOrThrow()
  return found
}

/** How many of a user's fees are unpaid. */
export async function countOpenFees(db: ReadDb, userId: bigint): Promise<number> {
  const { found } = await filtered(db, { userId, states: ['awaiting_fee'] })
    .select((eb) => eb.fn.countAll<bigint>().as('found'))
    .executeTakeFirstOrThrow()
  return Number(found)
}

/** All claims that match a filter, in order. */
export function orderedClaims(
  db: ReadDb,
  query: Omit<ClaimPage, keyof Paging> & { isUnpaidFirst?: boolean },
) {
  const order = ORDERS[query.sort_by]
  let claims = filtered(db, query).selectAll()
  if (query.isUnpaidFirst === true) claims = claims.orderBy(sql`state <> 'awaiting_fee'`)
  return claims.orderBy(order, query.sort_order).orderBy('id', query.sort_order)
}

function filtered(
  db: ReadDb,
  filter: ClaimFilter,
): SelectQueryBuilder<ClaimsTables, 'claim', object> {
  const { userId, staker, states, planCode, from, before } = filter
  let query = own(db).selectFrom('claim')
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (staker !== undefined) query = query.where('staker', '=', staker)
  if (states !== undefined) query = query.where('state', 'in', [...states])
  if (planCode !== undefined && planCode !== '') query = query.where('plan_code', '=', planCode)
  if (from !== undefined) query = query.where('requested_at', '>=', from)
  if (before !== undefined) query = query.where('requested_at', '<', before)
  const { search, dctDecimals } = filter
  if (search === undefined) return query
  // Only a single holder's claims are few enough to format their dates and amounts for the search.
  const isOfOne = (userId !== undefined || staker !== undefined) && dctDecimals !== undefined
  return query.where(
    isOfOne ? anyOf([fitsClaim(search), fitsWords(search, dctDecimals)]) : fitsClaim(search),
  )
}

/** Criteria for claims; matching any one of them is enough. */
export type ClaimSearch = {
  text: string
  address?: BinarySearch
  hash?: BinarySearch
  planCodes: readonly string[]
}

const HASH_BYTES = 32

/**
 * Interprets a search text as part of a plan code, as the beginning of a claim code, and as the beginning, the end or
 * the shortened form of an address or of any of a claim's transaction hashes. Undefined if it is empty.
 */
export async function readClaimSearch(
  db: ReadDb,
  search: string | undefined,
): Promise<ClaimSearch | undefined> {
  const text = search?.trim() ?? ''
  if (text === '') return undefined
  const plans = await listPlans(db)
  const address = readAddressSearch(text)
  const hash = readHexSearch(text, HASH_BYTES)
  return {
    text,
    planCodes: plans.map(({ code }) => code).filter((code) => code.includes(text.toUpperCase())),
    ...(address && { address }),
    ...(hash && { hash }),
  }
}

function fitsClaim({ text, address, hash, planCodes }: ClaimSearch): RawBuilder<boolean> {
  const code = text.toUpperCase()
  return anyOf([
    ...planCodes.map((planCode) => sql`plan_code = ${planCode}`),
    ...(/^CL-?[0-9A-F]{0,16}$/.test(code) ? [sql`code_claim ^@ ${code}`] : []),
    ...(address === undefined ? [] : [fitsAddress(sql.ref('staker'), address)]),
    ...(hash === undefined
      ? []
      : ['fee_tx', 'now_tx', 'later_tx'].map((column) => fitsHex(sql.ref(column), hash))),
  ])
}

/** The texts that holders see in the rows of their own claims: the date, the amounts and the state. */
function fitsWords({ text }: ClaimSearch, dctDecimals: number): RawBuilder<boolean> {
  const pattern = likePattern(text)
  const states = Object.entries(CLAIM_WORDS).filter(([, words]) => showsWord(words.flat(), text))
  return anyOf([
    sql`${shownDay(sql.ref('requested_at'))} ilike ${pattern}`,
    ...states.map(([state]) => sql`state = ${state}`),
    ...['amount', 'now_amount'].map((column) =>
      showsAmount(sql.ref(column), { decimals: dctDecimals, search: text }),
    ),
  ])
}

/** A user's HALF claims, in one plan or in all, whose first half was due immediately: latest first, at most 1,000. */
export async function earlyHalves(
  db: ReadDb,
  { userId, planCode }: { userId: bigint; planCode?: string },
): Promise<Claim[]> {
  return own(db)
    .selectFrom('claim')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(planCode !== undefined, (query) => query.where('plan_code', '=', planCode ?? ''))
    .where('now_amount', '>', 0n)
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1_000)
    .execute()
}

/** A transaction named as the payment of a claim's fee, and why it is not, where that is known. */
export type PaymentHint = { hash: Buffer; problem: string | null; message: string | null }
/** A payment that was probably meant for a claim but did not settle it. */
export type Mismatch = { hash: Buffer; amount: bigint }
type SeenPayment = { claimId: bigint; isHint: boolean } & PaymentHint & Mismatch

/** What is known of payments for these claims: the one that each open claim's holder named, and mismatches, newest first. */
export async function paymentsFor(
  db: ReadDb,
  claims: readonly Pick<Claim, 'id' | 'state'>[],
): Promise<(claimId: bigint) => { hint: PaymentHint | undefined; mismatches: Mismatch[] }> {
  const ids = claims.map(({ id }) => `${id}`)
  const open = claims.filter(({ state }) => state === 'awaiting_fee').map(({ id }) => `${id}`)
  const seen = ids.length === 0 ? [] : await seenPayments(db, { ids, open })
  return (claimId) => {
    const own = seen.filter((one) => one.claimId === claimId)
    return {
      hint: own.find(({ isHint }) => isHint),
      mismatches: own.filter(({ isHint }) => !isHint),
    }
  }
}

async function seenPayments(
  db: ReadDb,
  { ids, open }: { ids: readonly string[]; open: readonly string[] },
): Promise<readonly SeenPayment[]> {
  const { rows } = await sql<SeenPayment>`
    select claim_id as "claimId", true as "isHint", tx_hash as hash, 0::numeric as amount, problem, message,
      0 as block
    from fee_hint where claim_id = any(${open}::bigint[])
    union all
    select nearest_claim_id, false, tx_hash, amount, null, null, block_number
    from usdt_receipt where nearest_claim_id = any(${ids}::bigint[]) and state = 'unmatched'
    order by block desc`.execute(db)
  return rows
}
