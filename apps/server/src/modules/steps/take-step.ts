import type { MoneyStepEntry, StepOutcome } from '@dct/api-contract/money-steps'
import { formatTronAddress } from '@dct/rules/addresses'
import {
  judgeStep,
  kindOfStep,
  STEP_KINDS,
  STEP_LEASE_MS,
  type StepAnswer,
} from '@dct/rules/money-steps'
import type { Clock } from '../../platform/clock.ts'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import { wakePages } from '../../platform/database/wake-pages.ts'
import { invariant } from '../../platform/errors.ts'
import { lockStep, type OpenStep, openSteps, type StepKey } from './steps.queries.ts'
import { own } from './steps.tables.ts'

export type StepDeps = {
  db: Db
  realClock: Clock
  /**
   * Throws a Refusal if no money is due for this step any more, and lets nothing change that until the transaction ends.
   */
  requireDue(tx: Tx, step: string): Promise<void>
}

/** The scope of the steps that all admins share. */
export const SHARED_SCOPE = 0n
/** How long a step that nobody ended is kept. */
const KEPT_MS = 400 * 86_400_000

export type TakenStep = { isGranted: boolean; mayConfirm: boolean; steps: MoneyStepEntry[] }

/**
 * Stores that a page is about to ask a wallet, unless another asking for the same purpose may still be under way.
 * Repeating it is harmless.
 * @param input.known the attempts that the person knew of when pressing
 * @throws Refusal whatever `requireDue` does
 */
export async function takeStep(
  { db, realClock, requireDue }: StepDeps,
  input: StepKey & { userId: bigint; attempt: string; known: readonly string[] },
): Promise<TakenStep> {
  const { scope, step, userId, attempt, known } = input
  const now = realClock.now()
  return inTransaction(db, async (tx) => {
    await lockStep(tx, input)
    await requireDue(tx, step)
    const open = await readSteps(tx, { scope, step }, now)
    const others = open.filter((one) => one.attempt !== attempt)
    const answer = judgeStep(others.map(judged), known)
    if (answer.kind === 'taken') {
      return { isGranted: false, mayConfirm: answer.mayConfirm, steps: others }
    }
    await own(tx)
      .deleteFrom('money_step')
      .where('user_id', '=', userId)
      .where('asked_at', '<', new Date(now.getTime() - KEPT_MS))
      .execute()
    await own(tx)
      .insertInto('money_step')
      .values({
        ...{ attempt, scope, step, user_id: userId, asked_at: now },
        ...{ waits_until: leaseFrom(now), tx_hash: null, ended_at: null },
      })
      .onConflict((conflict) => conflict.column('attempt').doNothing())
      .execute()
    await wakePages(tx, [userId])
    return { isGranted: true, mayConfirm: false, steps: others }
  })
}

/**
 * Stores what became of a step. Reports of unknown, foreign or ended steps change nothing, except that a hash is always
 * kept: a payment that left counts, however late its page learns of it.
 */
export async function reportStep(
  { db, realClock }: Pick<StepDeps, 'db' | 'realClock'>,
  report: {
    scope: bigint
    userId: bigint
    attempt: string
    outcome: StepOutcome
    hash: string | undefined
  },
): Promise<void> {
  const now = realClock.now()
  const { scope, userId, attempt, outcome, hash } = report
  await inTransaction(db, async (tx) => {
    const updated = await own(tx)
      .updateTable('money_step')
      .set({
        waits_until: outcome === 'waiting' ? leaseFrom(now) : null,
        ended_at: outcome === 'ended' ? now : null,
        ...(hash !== undefined && { tx_hash: hash }),
      })
      .where('attempt', '=', attempt)
      .where('scope', '=', scope)
      .where('user_id', '=', userId)
      .$if(outcome !== 'sent', (query) => query.where('ended_at', 'is', null))
      .$if(outcome === 'waiting', (query) => query.where('waits_until', 'is not', null))
      .executeTakeFirst()
    if (updated.numUpdatedRows > 0n && outcome !== 'waiting') await wakePages(tx, [userId])
  })
}

/** Whether money may leave for another purpose, given the steps for this one that may still move it. */
export async function judgeNow(
  tx: Tx,
  { known, now, ...key }: StepKey & { known: readonly string[]; now: Date },
): Promise<StepAnswer> {
  return judgeStep((await readSteps(tx, key, now)).map(judged), known)
}

/** Ends all steps for one purpose, because nothing more is due for it. @returns how many there were */
export async function endSteps(tx: Tx, { scope, step }: StepKey, now: Date): Promise<number> {
  const ended = await own(tx)
    .updateTable('money_step')
    .set({ waits_until: null, ended_at: now })
    .where('scope', '=', scope)
    .where('step', '=', step)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return Number(ended.numUpdatedRows)
}

/** The steps that have not ended and may still move money. */
export async function readSteps(
  db: DbOrTx,
  key: { scope: bigint; step?: string | undefined },
  now: Date,
): Promise<MoneyStepEntry[]> {
  const steps = await openSteps(db, key)
  return steps.filter((step) => !isOver(step, now)).map((step) => describe(step, now))
}

function isOver({ step, tx_hash, asked_at }: OpenStep, now: Date): boolean {
  const kind = kindOfStep(step)
  invariant(kind !== undefined, 'a money step without a known kind')
  const { overAfterMs } = STEP_KINDS[kind]
  return (
    tx_hash === null && overAfterMs !== null && now.getTime() > asked_at.getTime() + overAfterMs
  )
}

function describe(row: OpenStep, now: Date): MoneyStepEntry {
  const { attempt, step, address, asked_at, waits_until, tx_hash } = row
  const isWaiting = waits_until !== null && waits_until > now
  return {
    ...{ attempt, step, tx_hash, tron_address: formatTronAddress(address) },
    asked_at: asked_at.toISOString(),
    waits_until: isWaiting ? waits_until.toISOString() : null,
    state: isWaiting ? 'waiting' : tx_hash === null ? 'asked' : 'sent',
  }
}

function judged({ attempt, state, asked_at, tx_hash: hash }: MoneyStepEntry) {
  return { attempt, state, hash, askedAt: new Date(asked_at).getTime() }
}

function leaseFrom(now: Date): Date {
  return new Date(now.getTime() + STEP_LEASE_MS)
}
