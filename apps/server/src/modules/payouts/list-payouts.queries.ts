import { readAddressSearch, readHexSearch } from '@dct/rules/binary-search-text'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { anyOf, fitsAddress, fitsHex } from '../../platform/database/binary-search.ts'
import type { Db, DbOrTx, ReadDb } from '../../platform/database/db.ts'
import { cappedTotal, MAX_COUNTED, offsetOf, prefixPattern } from '../../platform/http/lists.ts'
import {
  type Chain,
  OPEN_STATES,
  own,
  type PayoutState,
  type PayoutsTables,
} from './payouts.tables.ts'

export type PayoutFilter = {
  state?: PayoutState | undefined
  chain?: Chain | undefined
  search?: string | undefined
  from?: Date
  before?: Date
}
export type PayoutPage = PayoutFilter & {
  page: number
  limit: number
  sort_by: string
  sort_order: 'asc' | 'desc'
}

/** One page of payouts, each with its number of attempts. */
export async function listPayouts(db: Db, query: PayoutPage) {
  const rows = await orderedPayouts(db, query).offset(offsetOf(query)).limit(query.limit).execute()
  const counted = await own(db)
    .selectFrom(
      filtered(db, query)
        .select('id')
        .limit(MAX_COUNTED + 1)
        .as('found'),
    )
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return { rows, ...cappedTotal(counted.count) }
}

/** Query for all payouts that match a filter, sorted. */
export function orderedPayouts(db: ReadDb, query: Omit<PayoutPage, 'page' | 'limit'>) {
  return filtered(db, query)
    .select(['id', 'chain', 'asset', 'cause', 'to_address', 'amount', 'plan_code', 'state'])
    .select(['wait_reason', 'wait_detail', 'waiting_since', 'failures'])
    .select(['final_tx', 'created_at', 'final_at'])
    .select((eb) =>
      eb
        .selectFrom('send_attempt')
        .select((count) => count.fn.countAll<bigint>().as('count'))
        .whereRef('send_attempt.payout_id', '=', 'payout.id')
        .as('attempts'),
    )
    .orderBy(query.sort_by === 'amount' ? 'amount' : 'created_at', query.sort_order)
    .orderBy('id', query.sort_order)
}

function filtered(
  db: ReadDb,
  filter: PayoutFilter,
): SelectQueryBuilder<PayoutsTables, 'payout', object> {
  const { state, chain, search, from, before } = filter
  let query = own(db).selectFrom('payout')
  if (state !== undefined) query = query.where('state', '=', state)
  if (chain !== undefined) query = query.where('chain', '=', chain)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (before !== undefined) query = query.where('created_at', '<', before)
  const text = search?.trim() ?? ''
  if (text === '') return query
  return query.where(isFound(text))
}

const HASH_BYTES = 32
const EVM_ADDRESS_BYTES = 20

/** Matches the start of the cause, and the start, end or shortened form of the receiver or of the final hash. */
function isFound(text: string): RawBuilder<boolean> {
  const onTron = readAddressSearch(text)
  const onBsc = readHexSearch(text, EVM_ADDRESS_BYTES)
  const hash = readHexSearch(text, HASH_BYTES)
  const to = sql.ref('to_address')
  return anyOf([
    sql`cause like ${prefixPattern(text)}`,
    ...(onTron === undefined ? [] : [sql`(chain = 'TRON' and ${fitsAddress(to, onTron)})`]),
    ...(onBsc === undefined ? [] : [sql`(chain = 'BSC' and ${fitsHex(to, onBsc)})`]),
    ...(hash === undefined ? [] : [fitsHex(sql.ref('final_tx'), hash)]),
  ])
}

export type PayoutFacts = {
  id: bigint
  state: PayoutState
  waitReason: string | null
  finalTx: Buffer | null
}

/** The state of payouts by id, for the modules that created them. */
export async function payoutFacts(
  db: ReadDb,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, PayoutFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await own(db)
    .selectFrom('payout')
    .select(['id', 'state', 'wait_reason as waitReason', 'final_tx as finalTx'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Ids of open payouts created before an instant, at most 100, in id order. */
export async function latePayouts(db: DbOrTx, createdBefore: Date): Promise<bigint[]> {
  const rows = await own(db)
    .selectFrom('payout')
    .select('id')
    .where('state', 'in', OPEN_STATES)
    .where('created_at', '<', createdBefore)
    .orderBy('id')
    .limit(100)
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether any signed transaction is undecided. */
export async function isAnythingInFlight(db: DbOrTx): Promise<boolean> {
  const live = await own(db)
    .selectFrom('send_attempt')
    .select('tx_hash')
    .where('state', '=', 'pending')
    .limit(1)
    .execute()
  return live.length > 0
}

/** The payouts with these causes, with the number of send attempts. */
export function payoutsOfCauses(db: DbOrTx, causes: readonly string[]) {
  return own(db)
    .selectFrom('payout as p')
    .select(['p.id', 'p.cause', 'p.amount', 'p.state', 'p.wait_reason', 'p.wait_detail'])
    .select(['p.final_tx', 'p.created_at', 'p.final_at'])
    .select((eb) =>
      eb
        .selectFrom('send_attempt as a')
        .select((count) => count.fn.countAll<bigint>().as('count'))
        .whereRef('a.payout_id', '=', 'p.id')
        .as('attempts'),
    )
    .where('p.cause', 'in', [...causes])
    .orderBy('p.id')
    .execute()
}
