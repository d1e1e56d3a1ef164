import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import type { Paging } from '../../platform/lists.ts'
import { offsetOf } from '../../platform/lists.ts'
import './pricing.tables.ts'

export type PriceRow = { price: bigint; at: Date }

/** The price that was set last, however old. */
export async function latestPrice(db: DbOrTx): Promise<PriceRow | undefined> {
  return db
    .selectFrom('dct_price')
    .select(['price', 'at'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Lets one price change at a time; readers go on. */
export async function lockPrices(tx: Tx): Promise<void> {
  await sql`lock table dct_price in share row exclusive mode`.execute(tx)
}

export type NewPrice = PriceRow & { setBy: Buffer | null; confirmedBy: Buffer | null }

/** Adds a price and drops what waited for a second admin. */
export async function insertPrice(tx: Tx, price: NewPrice): Promise<void> {
  await tx
    .insertInto('dct_price')
    .values({
      price: price.price,
      set_by: price.setBy,
      confirmed_by: price.confirmedBy,
      at: price.at,
    })
    .execute()
  await tx.deleteFrom('dct_price_proposal').execute()
}

export type Proposal = PriceRow & { proposedBy: Buffer }

export async function findProposal(db: DbOrTx): Promise<Proposal | undefined> {
  return db
    .selectFrom('dct_price_proposal')
    .select(['price', 'proposed_by as proposedBy', 'at'])
    .executeTakeFirst()
}

/** Puts a proposal in the place of the one before. */
export async function replaceProposal(tx: Tx, proposal: Proposal): Promise<void> {
  const row = { price: proposal.price, proposed_by: proposal.proposedBy, at: proposal.at }
  await tx
    .insertInto('dct_price_proposal')
    .values(row)
    .onConflict((conflict) => conflict.column('single').doUpdateSet(row))
    .execute()
}

export type PriceListQuery = Paging & { sort_by: 'at' | 'price'; sort_order: 'asc' | 'desc' }

export async function listPrices(db: DbOrTx, query: PriceListQuery) {
  const [rows, count] = await Promise.all([
    db
      .selectFrom('dct_price')
      .select(['id', 'price', 'set_by', 'confirmed_by', 'at'])
      .orderBy(query.sort_by, query.sort_order)
      .orderBy('id', query.sort_order)
      .offset(offsetOf(query))
      .limit(query.limit)
      .execute(),
    db
      .selectFrom('dct_price')
      .select((eb) => eb.fn.countAll<bigint>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(count.total) }
}
