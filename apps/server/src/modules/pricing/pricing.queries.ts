import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import type { Paging } from '../../platform/lists.ts'
import { offsetOf } from '../../platform/lists.ts'
import { own } from './pricing.tables.ts'

export type PriceRow = { price: bigint; at: Date }

/** The latest price, however old. */
export async function latestPrice(db: DbOrTx): Promise<PriceRow | undefined> {
  return own(db)
    .selectFrom('dct_price')
    .select(['price', 'at'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * The prices that single admins have set since an instant, oldest first, preceded by the price they started from: the
 * one in force at that instant, or the last one after it that two admins agreed on.
 */
export async function pricesInSum(db: DbOrTx, since: Date): Promise<bigint[]> {
  const rows = await own(db)
    .selectFrom('dct_price')
    .select(['price', 'at', 'confirmed_by'])
    .where(({ eb, selectFrom }) =>
      eb(
        'at',
        '>=',
        selectFrom('dct_price')
          .select((e) => e.fn.coalesce(e.fn.max('at'), e.val(since)).as('at'))
          .where('at', '<=', since),
      ),
    )
    .orderBy('at')
    .orderBy('id')
    .execute()
  const start = rows.findLastIndex((row) => row.at <= since || row.confirmed_by !== null)
  return rows.slice(Math.max(start, 0)).map(({ price }) => price)
}

/** Serializes price changes; readers are not blocked. */
export async function lockPrices(tx: Tx): Promise<void> {
  await sql`lock table dct_price in share row exclusive mode`.execute(tx)
}

export type NewPrice = PriceRow & { setBy: Buffer | null; confirmedBy: Buffer | null }

/** Adds a price and deletes the pending proposal. */
export async function insertPrice(tx: Tx, price: NewPrice): Promise<void> {
  await own(tx)
    .insertInto('dct_price')
    .values({
      price: price.price,
      set_by: price.setBy,
      confirmed_by: price.confirmedBy,
      at: price.at,
    })
    .execute()
  await own(tx).deleteFrom('dct_price_proposal').execute()
}

export type Proposal = PriceRow & { proposedBy: Buffer }

export async function findProposal(db: DbOrTx): Promise<Proposal | undefined> {
  return own(db)
    .selectFrom('dct_price_proposal')
    .select(['price', 'proposed_by as proposedBy', 'at'])
    .executeTakeFirst()
}

/** Stores a proposal in place of the previous one. */
export async function replaceProposal(tx: Tx, proposal: Proposal): Promise<void> {
  const row = { price: proposal.price, proposed_by: proposal.proposedBy, at: proposal.at }
  await own(tx)
    .insertInto('dct_price_proposal')
    .values(row)
    .onConflict((conflict) => conflict.column('single').doUpdateSet(row))
    .execute()
}

export type PriceListQuery = Paging & { sort_by: 'at' | 'price'; sort_order: 'asc' | 'desc' }

export async function listPrices(db: DbOrTx, query: PriceListQuery) {
  const [rows, count] = await Promise.all([
    own(db)
      .selectFrom('dct_price')
      .select(['id', 'price', 'set_by', 'confirmed_by', 'at'])
      .orderBy(query.sort_by, query.sort_order)
      .orderBy('id', query.sort_order)
      .offset(offsetOf(query))
      .limit(query.limit)
      .execute(),
    own(db)
      .selectFrom('dct_price')
      .select((eb) => eb.fn.countAll<bigint>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(count.total) }
}
