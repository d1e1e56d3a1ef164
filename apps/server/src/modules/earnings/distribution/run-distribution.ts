import { FREEZE_GRACE_CYCLES } from '@dct/rules/constants'
import {
  addDays,
  type BusinessDay,
  businessDayOf,
  DAY_MS,
  startOfBusinessDay,
} from '../../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/database/db.ts'
import { account, postTransfers } from '../../ledger/index.ts'
import { exemptClosedDay, extendAvailability } from './availability.ts'
import * as q from './distribution.queries.ts'
import { lockDistribution } from './distribution-lock.ts'
import { creditExemptDay, exemptDaysAmong, exemptEverybody } from './exemptions.queries.ts'

export type RunDistributionDeps = {
  db: Db
  /** Whether holders can claim right now: there is a current price and claims are open. */
  areClaimsOpen(tx: Tx, now: Date): Promise<boolean>
}

/** A day that is run later than this is exempt for all earnings. */
const LATE_AFTER_MS = DAY_MS

/**
 * Runs the oldest due day of the plan that is furthest behind, in one transaction: one ledger transfer for the total
 * credited, one for the total lapsed, and the earnings that begin to lapse. Idempotent, also when several processes run it.
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
    await extendAvailability(tx, { ...time, isOpen })
    await runDay(tx, { plan, now: time.now })
  })
  return true
}

async function runDay(tx: Tx, run: { plan: q.PlanCursor; now: Date }): Promise<void> {
  const { planId, planCode, cycles, throughDay } = run.plan
  await lockDistribution(tx, { planId })
  const cursor = await q.readPlanCursor(tx, planId)
  // Another worker has already run it.
  if (cursor?.throughDay !== throughDay) return

  const day = addDays(throughDay, 1)
  await exemptClosedDay(tx, throughDay, run.now)
  if (isLate(day, run.now)) {
    await exemptEverybody(tx, { day, reason: 'late_run', at: run.now })
  }
  const exempt = await exemptDaysAmong(tx, [throughDay, day])
  const again = exempt.has(throughDay)
    ? await creditExemptDay(tx, { planCode, day: throughDay, at: run.now })
    : []
  const totals = await q.runCycles(tx, {
    planCode,
    cycles,
    day,
    isExempt: exempt.has(day),
    graceCycles: FREEZE_GRACE_CYCLES,
  })
  await q.insertDistributionDay(tx, { planId, day, at: run.now, ...totals })
  const booking = { asset: 'DCT', ref: `${planCode}/${day}`, at: run.now } as const
  const debit = account.promised(planCode)
  await postTransfers(tx, [
    ...again,
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

/** Whether a cycle of that day is run too late to count towards freezing. */
export function isLate(day: BusinessDay, now: Date): boolean {
  return now.getTime() - startOfBusinessDay(day).getTime() > LATE_AFTER_MS
}
