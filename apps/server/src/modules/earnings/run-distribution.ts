import {
  addDays,
  type BusinessDay,
  businessDayOf,
  DAY_MS,
  startOfBusinessDay,
} from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import { account, postTransfers } from '../ledger/index.ts'
import { judgeDay, noteAvailability } from './availability.ts'
import * as q from './distribution.queries.ts'
import { lockDistribution } from './distribution-lock.ts'
import { excuseEverybody } from './excuses.queries.ts'

export type RunDistributionDeps = {
  db: Db
  /** Cycles still credited after the freeze limit. */
  graceCycles: number
  /** Whether holders can claim right now: a price is there and claims are open. */
  areClaimsOpen(tx: Tx, now: Date): Promise<boolean>
}

/** A run that comes later than this excuses everybody for its day. */
const LATE_AFTER_MS = DAY_MS

/**
 * Runs the oldest day that is due and was not run yet, for one plan, in one transaction: all its rows, one ledger
 * transfer for what was credited and one for what lapsed. Running again, or from several processes, writes nothing
 * twice.
 * @returns false when no day of any plan is due.
 */
export async function runNextDistribution(
  deps: RunDistributionDeps,
  time: { now: Date; realNow: Date },
): Promise<boolean> {
  const plan = await q.nextPlanToRun(deps.db, businessDayOf(time.now))
  if (plan === undefined) return false
  await inTransaction(deps.db, async (tx) => {
    const isOpen = await deps.areClaimsOpen(tx, time.now)
    await noteAvailability(tx, { ...time, isOpen })
    await runDay(tx, { plan, now: time.now, graceCycles: deps.graceCycles })
  })
  return true
}

async function runDay(
  tx: Tx,
  run: { plan: q.PlanCursor; now: Date; graceCycles: number },
): Promise<void> {
  const { planId, planCode, cycles, throughDay } = run.plan
  await lockDistribution(tx, { planId })
  const cursor = await q.readPlanCursor(tx, planId)
  // Another worker was faster.
  if (cursor?.throughDay !== throughDay) return

  const day = addDays(throughDay, 1)
  await judgeDay(tx, throughDay, run.now)
  if (isLate(day, run.now)) {
    await excuseEverybody(tx, { day, reason: 'late_run', at: run.now })
  }
  await q.ensureMonths(tx, day)
  const totals = await q.insertDayRows(tx, { planCode, cycles, day, graceCycles: run.graceCycles })
  await q.insertDistributionDay(tx, { planId, day, at: run.now, ...totals })
  const booking = { asset: 'DCT', ref: `${planCode}/${day}`, at: run.now } as const
  const debit = account.promised(planCode)
  await postTransfers(tx, [
    {
      ...booking,
      debit,
      credit: account.credited(planCode),
      amount: totals.credited,
      kind: 'reward_credited',
    },
    {
      ...booking,
      debit,
      credit: account.lapsed(planCode),
      amount: totals.lapsed,
      kind: 'reward_lapsed',
    },
  ])
}

/** Whether a cycle of that day is written too late to count against its holder. */
export function isLate(day: BusinessDay, now: Date): boolean {
  return now.getTime() - startOfBusinessDay(day).getTime() > LATE_AFTER_MS
}
