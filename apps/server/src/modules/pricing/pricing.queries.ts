import { SETTING_NAMES, type SettingName } from '@dct/api-contract/proposals'
import { sql } from 'kysely'
import { DAY_MS, latestPossible } from '../../platform/clock.ts'
import type { Db, DbOrTx } from '../../platform/database/db.ts'
import type { Paging } from '../../platform/http/lists.ts'
import { offsetOf } from '../../platform/http/lists.ts'
import { own } from './pricing.tables.ts'

export type PriceRow = { price: bigint; at: Date }

/** The price is a setting like the others, but one that the pair may set too. */
function prices(db: DbOrTx) {
  return own(db)
    .selectFrom('setting_change_view')
    .select(['value as price', 'at'])
    .where('kind', '=', sql.lit('price'))
}

/** The latest price, however old. One from the future, set while a clock was wrong, does not count. */
export async function latestPrice(
  db: DbOrTx,
  now: Date,
): Promise<(PriceRow & { setBy: bigint | null }) | undefined> {
  return (
    prices(db)
      .select('set_by as setBy')
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
  const rows = await prices(db)
    .select(['confirmed_by', 'from_pair'])
    .where(({ eb, selectFrom }) =>
      eb(
        'at',
        '>=',
        selectFrom('setting_change_view')
          .select((e) => e.fn.coalesce(e.fn.max('at'), e.val(since)).as('at'))
          .where('kind', '=', sql.lit('price'))
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

export type LatestSettings = ReadonlyMap<SettingName, { value: bigint; at: Date }>

/** The latest value of each name that was ever set, and when that was. */
export async function latestSettings(db: DbOrTx): Promise<LatestSettings> {
  const { rows } = await sql<{ name: SettingName; value: bigint; at: Date }>`
    select name, latest.value, latest.at
    from unnest(${sql.val([...SETTING_NAMES])}::text[]) as name, lateral (
      select value, at from setting_change_view where kind = name order by id desc limit 1) latest`.execute(
    db,
  )
  return new Map(rows.map(({ name, ...latest }) => [name, latest]))
}

type ChangesQuery = Paging & { name?: SettingName; sort_order: 'asc' | 'desc' }

/** Past values of prices and fee settings, and who set them. */
export async function listChanges(db: DbOrTx, query: ChangesQuery) {
  const names = query.name === undefined ? SETTING_NAMES : [query.name]
  const changes = own(db).selectFrom('setting_change_view as c').where('c.kind', 'in', names)
  const [rows, count] = await Promise.all([
    changes
      .leftJoin('app_user_view as s', 's.id', 'c.set_by')
      .leftJoin('app_user_view as t', 't.id', 'c.confirmed_by')
      .select(['c.id', 'c.kind', 'c.value', 'c.from_pair', 'c.at'])
      .select(['s.address as set_by', 't.address as confirmed_by'])
      .$narrowType<{ kind: SettingName }>()
      .orderBy('c.at', query.sort_order)
      .orderBy('c.id', query.sort_order)
      .offset(offsetOf(query))
      .limit(query.limit)
      .execute(),
    changes.select((eb) => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(count.total) }
}

/** The price in force at an instant, or the first one ever set if the instant precedes it. */
export async function priceAt(db: DbOrTx, at: Date): Promise<PriceRow | undefined> {
  const one = prices(db).limit(1)
  const before = await one.where('at', '<=', at).orderBy('id', 'desc').executeTakeFirst()
  return before ?? (await one.orderBy('id').executeTakeFirst())
}

/** The last price that admins have set since an instant. */
export async function lastOfAdmins(db: DbOrTx, since: Date): Promise<PriceRow | undefined> {
  return prices(db)
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
