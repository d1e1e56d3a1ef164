import type { DailyCloseReply, DayStatement } from '@dct/api-contract/reports'
import { formatAmount, formatUnits } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import {
  addDays,
  type BusinessDay,
  businessDayOf,
  type Clock,
  startOfBusinessDay,
} from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, type DbOrTx, inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { type ChainName, chainFacts } from '../chain/index.ts'
import {
  type ClosedDay,
  findClosedDay,
  firstEventAt,
  insertClosedDay,
} from './daily-close.queries.ts'
import { dayFigures, dayFlows, type OurAddresses } from './day-flows.queries.ts'
import { findOwedDay, type OwedDay } from './owed-list/owed-list.queries.ts'

export type DailyCloseDeps = {
  db: Db
  clock: Clock
  dctDecimals: number
  our: OurAddresses
  recordAdminAction: RecordAdminAction
}

/** A day's statement: the stored one if closed, else calculated from the current state of the ledger and the chains. */
export async function readDay(deps: DailyCloseDeps, day: BusinessDay): Promise<DailyCloseReply> {
  const closed = await findClosedDay(deps.db, day)
  if (closed !== undefined) return { ...describeClose(closed), can_close: false }
  const statement = await stateDay(deps, deps.db, day)
  const problem = await closingProblem(deps, deps.db, day)
  return { statement, can_close: problem === undefined, closed: null }
}

/**
 * Stores a day's statement permanently. A second close is refused.
 * @throws Refusal `DAY_NOT_OVER`, `DAY_BEFORE_START`, `DAY_NOT_READ`, `DAY_CLOSED`
 */
export async function closeDay(
  deps: DailyCloseDeps,
  { day, adminId }: { day: BusinessDay; adminId: bigint },
): Promise<DailyCloseReply> {
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    const problem = await closingProblem(deps, tx, day)
    if (problem !== undefined) throw new Refusal(problem)
    const statement = await stateDay(deps, tx, day)
    const { differences } = statement
    const content = `${JSON.stringify(statement, null, 2)}\n`
    const isNew = await insertClosedDay(tx, { day, at, adminId, differences, content })
    if (!isNew) throw new Refusal('DAY_CLOSED')
    await deps.recordAdminAction(tx, {
      adminId,
      action: 'day.close',
      subject: day,
      before: null,
      after: { differences },
      at,
    })
  })
  return readDay(deps, day)
}

/** The file of a closed day, byte for byte as it was hashed. @throws Refusal `DAY_NOT_CLOSED` */
export async function readFile(db: DbOrTx, day: BusinessDay): Promise<string> {
  const closed = await findClosedDay(db, day)
  if (closed === undefined) throw new Refusal('DAY_NOT_CLOSED')
  return closed.content
}

async function closingProblem(
  { clock }: DailyCloseDeps,
  db: DbOrTx,
  day: BusinessDay,
): Promise<'DAY_NOT_OVER' | 'DAY_NOT_READ' | 'DAY_BEFORE_START' | undefined> {
  if (day >= businessDayOf(clock.now())) return 'DAY_NOT_OVER'
  const first = await firstEventAt(db)
  if (first === undefined || day < businessDayOf(first)) return 'DAY_BEFORE_START'
  const before = startOfBusinessDay(addDays(day, 1))
  const read = await chainFacts(db)
  const isRead = (name: ChainName) =>
    read.some(({ chain, blockTime }) => chain === name && blockTime >= before)
  return isRead('TRON') && isRead('BSC') ? undefined : 'DAY_NOT_READ'
}

async function stateDay(
  { our, dctDecimals }: DailyCloseDeps,
  db: DbOrTx,
  day: BusinessDay,
): Promise<DayStatement> {
  const span = { from: startOfBusinessDay(day), before: startOfBusinessDay(addDays(day, 1)) }
  const show = (asset: 'DCT' | 'USDT', units: bigint) =>
    asset === 'DCT' ? formatUnits(units, dctDecimals) : formatAmount('USDT', units)
  const flows = await dayFlows(db, our, span)
  const figures = await dayFigures(db, day, span)
  const owed = await findOwedDay(db, day)
  const read = await chainFacts(db)
  const lastBlock = (name: ChainName) =>
    Number(read.find(({ chain }) => chain === name)?.blockNumber ?? 0n)
  return {
    day,
    from: span.from.toISOString(),
    before: span.before.toISOString(),
    read_through: {
      tron: lastBlock('TRON'),
      bsc: lastBlock('BSC'),
    },
    flows: flows.map(({ flow, asset, count, chain, ledger }) => ({
      flow,
      asset,
      count: Number(count),
      on_chain: show(asset, chain),
      booked: show(asset, ledger),
      difference: show(asset, ledger - chain),
    })),
    figures: figures.map(({ figure, asset, count, amount }) => ({
      figure,
      asset,
      count: Number(count),
      amount: show(asset, amount),
    })),
    owed: owed === undefined ? null : describeOwed(owed),
    differences: flows.filter(({ chain, ledger }) => chain !== ledger).length,
  }
}

function describeOwed({ root, sum, holders }: OwedDay) {
  return { root: root.toString('hex'), sum: `${sum}`, holders }
}

function describeClose({ content, closedAt, closedBy, sha256 }: ClosedDay) {
  return {
    statement: JSON.parse(content) as DayStatement,
    closed: {
      at: closedAt.toISOString(),
      by: formatTronAddress(closedBy),
      sha256: sha256.toString('hex'),
    },
  }
}
