import { sql } from 'kysely'
import { DAY_MS, latestPossible } from '../../platform/clock.ts'
import type { Db, DbOrTx, Tx } from '../../platform/database/db.ts'
import type { Paging } from '../../platform/http/lists.ts'
import { offsetOf } from '../../platform/http/lists.ts'
import { own } from './pricing.tables.ts'

export type PriceRow = { price: bigint; at: Date }

/** The latest price, however old. One from the future, set while a clock was wrong, does not count. */
export async function latestPrice(
  db: DbOrTx,
  now: Date,
): Promise<(PriceRow & { setBy: Buffer | null }) | undefined> {
  return (
    own(db)
      .selectFrom('dct_price')
      .select(['price', 'at', 'set_by as setBy'])
      .where('at', '<=', latestPossible(now))
      .orderBy('id', 'desc')
      // As a parameter, it would cause the query to be planned again for every claim.
      .limit(sql.lit(1))
      .executeTakeFirst()
  )
}

/**
 * The prices that single admins have set since an instant, oldest first, preceded by the price they started from: the
 * one in force at that instant, or the last one after it that two admins agreed on or that came from the pair.
 */
export async function pricesInSum(
  db: DbOrTx,
  { since, now }: { since: Date; now: Date },
): Promise<bigint[]> {
  const rows = await own(db)
    .selectFrom('dct_price')
    .select(['price', 'at', 'confirmed_by', 'from_pair'])
    .where(({ eb, selectFrom }) =>
      eb(
        'at',
        '>=',
        selectFrom('dct_price')
          .select((e) => e.fn.coalesce(e.fn.max('at'), e.val(since)).as('at'))
          .where('at', '<=', since),
      ),
    )
    .where('at', '<=', latestPossible(now))
    .orderBy('id')
    .execute()
  const start = rows.findLastIndex(
    (row) => row.at <= since || row.confirmed_by !== null || row.from_pair,
  )
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
      .select(['id', 'price', 'set_by', 'confirmed_by', 'at', 'from_pair'])
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

/** Adds a price derived from the pair. A pending proposal of an admin remains. */
export async function insertPairPrice(tx: Tx, { price, at }: PriceRow): Promise<void> {
  await own(tx).insertInto('dct_price').values({ price, at, from_pair: true }).execute()
}

/** The price in force at an instant, or the first one ever set if the instant precedes it. */
export async function priceAt(db: DbOrTx, at: Date): Promise<PriceRow | undefined> {
  const prices = own(db).selectFrom('dct_price').select(['price', 'at']).limit(1)
  const before = await prices.where('at', '<=', at).orderBy('id', 'desc').executeTakeFirst()
  return before ?? (await prices.orderBy('id').executeTakeFirst())
}

/** The last price that admins have set since an instant. */
export async function lastOfAdmins(db: DbOrTx, since: Date): Promise<PriceRow | undefined> {
  return own(db)
    .selectFrom('dct_price')
    .select(['price', 'at'])
    .where('at', '>', since)
    .where('set_by', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

const SAMPLES_KEPT_MS = 7 * DAY_MS

/** Adds a sample, once per block, and removes old ones. */
export async function insertSample(
  db: Db,
  { block, price, at }: PriceRow & { block: bigint },
): Promise<void> {
  await own(db)
    .insertInto('price_sample')
    .values({ block, price, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const oldest = new Date(at.getTime() - SAMPLES_KEPT_MS)
  await own(db).deleteFrom('price_sample').where('at', '<', oldest).execute()
}

/** When the latest sample was taken. */
export async function latestSampleAt(db: DbOrTx): Promise<Date | undefined> {
  const row = await own(db)
    .selectFrom('price_sample')
    .select('at')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

/** The samples since an instant, oldest first, preceded by the one in effect at that instant. */
export async function samplesSince(db: DbOrTx, since: Date): Promise<PriceRow[]> {
  return own(db)
    .selectFrom('price_sample')
    .select(['price', 'at'])
    .where(({ eb, selectFrom }) =>
      eb(
        'at',
        '>=',
        selectFrom('price_sample')
          .select((e) => e.fn.coalesce(e.fn.max('at'), e.val(since)).as('at'))
          .where('at', '<=', since),
      ),
    )
    .orderBy('at')
    .execute()
}
