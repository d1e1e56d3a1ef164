import { parseEvmAddress, parseTronAddress } from '@dct/rules/addresses'
import type { SelectQueryBuilder } from 'kysely'
import type { DB, Db, DbOrTx } from '../../platform/db.ts'
import { cappedTotal, MAX_COUNTED, offsetOf, prefixPattern } from '../../platform/lists.ts'
import type { Chain, PayoutState } from './payouts.tables.ts'
import './payouts.tables.ts'

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

/** One page of payouts with how many attempts each had. */
export async function listPayouts(db: Db, query: PayoutPage) {
  const rows = await orderedPayouts(db, query).offset(offsetOf(query)).limit(query.limit).execute()
  const counted = await db
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

/** All payouts of a filter, in order. */
export function orderedPayouts(db: DbOrTx, query: Omit<PayoutPage, 'page' | 'limit'>) {
  return filtered(db, query)
    .select(['id', 'chain', 'asset', 'cause', 'to_address', 'amount', 'plan_code', 'state'])
    .select(['wait_reason', 'wait_detail', 'waiting_since', 'held_note', 'failures'])
    .select(['is_by_hand', 'final_tx', 'created_at', 'final_at'])
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

function filtered(db: DbOrTx, filter: PayoutFilter): SelectQueryBuilder<DB, 'payout', object> {
  const { state, chain, search, from, before } = filter
  let query = db.selectFrom('payout')
  if (state !== undefined) query = query.where('state', '=', state)
  if (chain !== undefined) query = query.where('chain', '=', chain)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (before !== undefined) query = query.where('created_at', '<', before)
  const text = search?.trim() ?? ''
  if (text === '') return query
  const address = parseTronAddress(text) ?? parseEvmAddress(text)
  if (address !== undefined) return query.where('to_address', '=', Buffer.from(address))
  const hash = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text)?.[1]
  if (hash !== undefined) return query.where('final_tx', '=', Buffer.from(hash, 'hex'))
  return query.where('cause', 'like', prefixPattern(text))
}

export type PayoutFacts = {
  id: bigint
  state: PayoutState
  waitReason: string | null
  heldNote: string | null
  finalTx: Buffer | null
  /** An admin pays it. */
  isByHand: boolean
  /** The transaction that an admin named, and why it is not the payment. */
  namedTx: Buffer | null
  namedProblem: string | null
}

/** Where payouts stand, by id: for those who caused them. */
export async function payoutFacts(
  db: DbOrTx,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, PayoutFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('payout as p')
    .leftJoin('hand_payment as h', 'h.payout_id', 'p.id')
    .select(['p.id', 'p.state', 'p.wait_reason', 'p.held_note', 'p.final_tx', 'p.is_by_hand'])
    .select(['h.tx_hash', 'h.problem'])
    .where('p.id', 'in', [...ids])
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        id: row.id,
        state: row.state,
        waitReason: row.wait_reason,
        heldNote: row.held_note,
        finalTx: row.final_tx,
        isByHand: row.is_by_hand,
        namedTx: row.tx_hash,
        namedProblem: row.problem,
      },
    ]),
  )
}

/** How many payouts of each chain are in which open state, and since when. */
export async function payoutBacklog(db: DbOrTx) {
  return db
    .selectFrom('payout')
    .select((eb) => [
      'chain',
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'queued').as('queued'),
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'signed').as('signed'),
      eb.fn.countAll<bigint>().filterWhere('state', '=', 'held').as('held'),
      eb.fn.min('created_at').as('oldest_at'),
    ])
    .where('state', 'in', ['queued', 'signed', 'held'])
    .groupBy('chain')
    .orderBy('chain')
    .execute()
}

/** Payouts that should have been final by now. */
export async function latePayouts(db: DbOrTx, createdBefore: Date): Promise<bigint[]> {
  const rows = await db
    .selectFrom('payout')
    .select('id')
    .where('state', 'in', ['queued', 'signed', 'held'])
    .where('created_at', '<', createdBefore)
    .orderBy('id')
    .limit(100)
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether any signed transaction is undecided. */
export async function isAnythingInFlight(db: DbOrTx): Promise<boolean> {
  const live = await db
    .selectFrom('send_attempt')
    .select('tx_hash')
    .where('state', '=', 'LIVE')
    .limit(1)
    .execute()
  return live.length > 0
}
