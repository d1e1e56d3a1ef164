import type { Hex } from 'viem'
import { realClock } from '../../platform/clock.ts'
import { type Db, inTransaction } from '../../platform/db.ts'
import { isHalted } from '../chain/index.ts'
import { bookUnsigned } from './book-recorded.ts'
import { PAYOUT_COLUMNS, type Payout, readPayout } from './create-payout.ts'
import { haltOf } from './hold-payouts.ts'
import {
  type Attempt,
  type IntentRef,
  insertAttempt,
  isManual,
  lockIntent,
  moveIntent,
  type NewAttempt,
  nextAttemptNumber,
} from './intents.queries.ts'
import { fittingPayments } from './payments.queries.ts'
import { type Chain, own } from './payouts.tables.ts'
import { isRestoreOpen } from './restored-backup.ts'
import { describe, endWait, type SenderDeps } from './sender-deps.ts'

/** Payouts that senders may try now, oldest first. Manual payouts are left out. */
export async function duePayouts(
  db: Db,
  query: { chain: Chain; now: Date; limit: number },
): Promise<Payout[]> {
  const rows = await own(db)
    .selectFrom('payout')
    .select(PAYOUT_COLUMNS)
    .where('chain', '=', query.chain)
    .where('state', '=', 'queued')
    .where('is_manual', '=', false)
    .where((eb) => eb.or([eb('retry_at', 'is', null), eb('retry_at', '<=', query.now)]))
    .orderBy('id')
    .limit(query.limit)
    .execute()
  return rows.map(readPayout)
}

type Signed = Pick<NewAttempt, 'hash' | 'raw' | 'nonce' | 'gasPrice' | 'expiresAt'>

/**
 * Signs for a queued intent and stores the bytes, in one short transaction under the intent's lock. Only bytes that
 * this function returned may be sent.
 * @returns undefined when nothing may be signed: another process was faster, an admin pays it, or a halt applies
 */
export async function signOnce(
  deps: SenderDeps,
  target: { intent: IntentRef; chain: Chain; sender: Hex },
  sign: (attempt: number, tx: Parameters<typeof insertAttempt>[0]) => Promise<Signed>,
): Promise<Attempt | undefined> {
  const { intent, chain, sender } = target
  const saved = await inTransaction(deps.db, async (tx) => {
    const { state, waitReason } = await lockIntent(tx, intent)
    if (state !== 'queued' || (await isManual(tx, intent))) return undefined
    if ((await isHalted(tx, chain)) || (await isRestoreOpen(tx))) return undefined
    const halt = intent.table === 'payout' ? await haltOf(tx, intent.id) : undefined
    if (halt !== undefined) {
      await moveIntent(tx, intent, { held: halt })
      return undefined
    }
    const attempt = await nextAttemptNumber(tx, intent)
    deps.crashPoint('before-sign')
    const signed = await sign(attempt, tx)
    deps.crashPoint('after-sign-before-save')
    // Real time, like all measurements of how long a node takes.
    const at = realClock.now()
    const stored = await insertAttempt(tx, { ...signed, intent, chain, sender, attempt, at })
    await moveIntent(tx, intent, 'signed')
    await endWait(tx, intent, { chain, reason: waitReason, at: deps.clock.now() })
    return stored
  })
  if (saved === undefined) return undefined
  deps.crashPoint('after-save')
  deps.log.info({ ...describe(intent), hash: saved.hash, nonce: saved.nonce }, 'payoutSigned')
  return saved
}

/**
 * Books a payout whose payment the watcher has recorded under its key although this database did not sign it (a
 * restored backup). False when no such payment is recorded yet, or the payout has changed in the meantime.
 */
export async function finishRecorded(deps: SenderDeps, payout: Payout): Promise<boolean> {
  const fitting = await fittingPayments(deps.db, payout)
  const payment = fitting.find(({ payoutKey }) => payoutKey === payout.payoutKey)
  if (payment === undefined) return false
  return bookUnsigned(deps, { payout, payment })
}
