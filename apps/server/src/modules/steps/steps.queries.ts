import { sql } from 'kysely'
import { ADVISORY_LOCK_CLASSES } from '../../platform/database/advisory-locks.ts'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { own } from './steps.tables.ts'

export type StepKey = { scope: bigint; step: string }

/** Lets only one transaction at a time decide about a step. */
export async function lockStep(tx: Tx, { scope, step }: StepKey): Promise<void> {
  const key = `${scope}:${step}`
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK_CLASSES.moneyStep}, hashtext(${key}))`.execute(
    tx,
  )
}

/** Enough for every open fee, plan and refund of one user. */
const MOST_LISTED = 100

/** The steps that have not ended, newest first, with the address of the user who asked. */
export function openSteps(
  db: DbOrTx,
  { scope, step }: { scope: bigint; step?: string | undefined },
) {
  let steps = own(db)
    .selectFrom('money_step as s')
    .innerJoin('app_user_view as u', 'u.id', 's.user_id')
    .selectAll('s')
    .select('u.address')
    .where('s.scope', '=', scope)
    .where('s.ended_at', 'is', null)
    .orderBy('s.asked_at', 'desc')
    .orderBy('s.attempt')
    .limit(MOST_LISTED)
  if (step !== undefined) steps = steps.where('s.step', '=', step)
  return steps.execute()
}

export type OpenStep = Awaited<ReturnType<typeof openSteps>>[number]
