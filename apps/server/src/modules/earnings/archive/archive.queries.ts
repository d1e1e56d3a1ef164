import { type CompiledQuery, sql } from 'kysely'
import { type BusinessDay, firstOfNextMonth } from '../../../platform/clock.ts'
import { type DbOrTx, kyselyOf, type Tx } from '../../../platform/database/db.ts'
import { own } from '../earnings.tables.ts'

export type CycleRow = {
  earning_id: bigint
  day: string
  cycle: number
  amount: bigint
  lapsed_amount: bigint | null
}
export type CycleSums = { rowCount: bigint; credited: bigint; lapsed: bigint }

const ROWS_AT_ONCE = 5_000
const COLUMNS = sql`r.earning_id, r.day, r.cycle, r.amount, r.lapsed_amount`

/** The business day through which every plan has been run; null before the first stake. */
export async function runThrough(db: DbOrTx): Promise<string | null> {
  const { day } = await own(db)
    .selectFrom('distribution_cursor')
    .select((eb) => eb.fn.min<string | null>('through_day').as('day'))
    .executeTakeFirstOrThrow()
  return day
}

/** Prevents others from writing rows of a month until the transaction ends. @returns false if it has no rows */
export async function lockMonth(tx: Tx, month: BusinessDay): Promise<boolean> {
  const name = `reward_row_${month.slice(0, 7).replace('-', '')}`
  const { rows } = await sql<{ exists: boolean }>`
    select to_regclass(${name}) is not null as exists`.execute(tx)
  if (rows[0]?.exists !== true) return false
  await sql`lock table ${sql.ref(name)} in share row exclusive mode`.execute(tx)
  return true
}

/**
 * Divides the rows of a month into those that can no longer be claimed (`moved_cycle`) and the others (`kept_cycle`),
 * in temporary tables. A claim that awaits its fee may still be undone.
 * @returns the sums of the former
 */
export async function divideMonth(tx: Tx, month: BusinessDay): Promise<CycleSums> {
  const inMonth = sql`r.day >= ${month} and r.day < ${firstOfNextMonth(month)}`
  await sql`
    create temp table moved_cycle on commit drop as
    select ${COLUMNS} from reward_row r join earning e on e.id = r.earning_id
    where ${inMonth} and r.cycle <= e.claimed_through and not e.has_open_fee`.execute(tx)
  await sql`
    create temp table kept_cycle on commit drop as
    select ${COLUMNS} from reward_row r where ${inMonth} and not exists (
      select from moved_cycle m where m.earning_id = r.earning_id and m.day = r.day)`.execute(tx)
  const { rows } = await sql<CycleSums>`
    select count(*) as "rowCount", coalesce(sum(amount), 0) as credited, coalesce(sum(lapsed_amount), 0) as lapsed
    from moved_cycle`.execute(tx)
  return rows[0] ?? { rowCount: 0n, credited: 0n, lapsed: 0n }
}

/** Writes one row per span of moved cycles. */
export async function insertSpans(tx: Tx, archiveId: bigint): Promise<void> {
  await sql`
    insert into reward_span (earning_id, first_day, last_day, is_lapsed, amount, archive_id)
    select earning_id, min(day), max(day), is_lapsed, sum(amount + coalesce(lapsed_amount, 0)), ${archiveId}
    from (
      select *, cycle - row_number() over (partition by earning_id, is_lapsed order by cycle) as island
      from (select ${COLUMNS}, r.lapsed_amount is not null as is_lapsed from moved_cycle r) cycles) islands
    group by earning_id, is_lapsed, island
    order by earning_id, min(day)`.execute(tx)
}

/** Leaves only the kept rows in a month. Briefly blocks other readers and writers, for the lock on all months. */
export async function replaceMonth(tx: Tx, month: BusinessDay): Promise<void> {
  await sql`select reward_row_replace_month(${month}, 'kept_cycle')`.execute(tx)
}

/** Restores the rows of an archive in place of its spans. */
export async function unpack(tx: Tx, archiveId: bigint, month: BusinessDay): Promise<void> {
  await sql`select reward_row_ensure_month(${month})`.execute(tx)
  await sql`
    insert into reward_row (earning_id, day, cycle, amount, lapsed_amount)
    ${rowsOfArchive(archiveId)}`.execute(tx)
  await own(tx).deleteFrom('reward_span').where('archive_id', '=', archiveId).execute()
  await own(tx).deleteFrom('reward_archive').where('id', '=', archiveId).execute()
}

/** The moved rows, in the order of the file. */
export function movedRows(tx: Tx): AsyncGenerator<CycleRow[]> {
  return batchesOf(
    tx,
    sql<CycleRow>`select ${COLUMNS} from moved_cycle r order by r.earning_id, r.day`.compile(
      kyselyOf(tx),
    ),
  )
}

/** The rows that follow from an archive's spans, in the order of the file. */
export function archivedRows(tx: Tx, archiveId: bigint): AsyncGenerator<CycleRow[]> {
  return batchesOf(
    tx,
    sql<CycleRow>`${rowsOfArchive(archiveId)} order by r.earning_id, r.day`.compile(kyselyOf(tx)),
  )
}

function rowsOfArchive(archiveId: bigint) {
  return sql`
    select ${COLUMNS} from reward_span s
      cross join lateral reward_span_rows(s.earning_id, s.first_day, s.last_day) r
    where s.archive_id = ${archiveId}`
}

async function* batchesOf(tx: Tx, query: CompiledQuery<CycleRow>): AsyncGenerator<CycleRow[]> {
  const cursor = { ...query, sql: `declare cycles no scroll cursor for ${query.sql}` }
  await kyselyOf(tx).executeQuery(cursor)
  for (;;) {
    const { rows } = await sql<CycleRow>`fetch ${sql.lit(ROWS_AT_ONCE)} from cycles`.execute(tx)
    if (rows.length > 0) yield rows
    if (rows.length < ROWS_AT_ONCE) break
  }
  await sql`close cycles`.execute(tx)
}
