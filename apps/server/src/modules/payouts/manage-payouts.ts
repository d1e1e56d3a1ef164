import { clearAlarm } from '../../platform/alarms/alarms.ts'
import { type Clock, msSince, realClock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { chainFactsOf } from '../chain/index.ts'
import { moveAccount } from './accounts.queries.ts'
import { getPayout } from './create-payout.ts'
import { lockIntent, moveIntent, setFailures } from './intents.queries.ts'
import { fittingPayments } from './payments.queries.ts'
import { HELD_ALARM } from './payout-alarms.ts'
import { type Chain, own } from './payouts.tables.ts'
import { endWait } from './wait-alarms.ts'

/** Real time. A chain that was last observed longer ago than this may have paid something that is not in the books. */
const READ_WITHIN_MS = 2 * 60_000

export type ManageDeps = { db: Db; clock: Clock; recordAdminAction: RecordAdminAction }
export type ManageInput = { payoutId: bigint; adminId: bigint }

/**
 * Lets a payout that waits be tried again at once, also one that is held.
 * @throws Refusal `PAYOUT_NOT_FOUND`, `PAYOUT_NOT_HELD` if it does not wait
 */
export async function retryPayout(deps: ManageDeps, input: ManageInput): Promise<void> {
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    const { ref, state, waitReason } = await lockPayout(tx, input.payoutId)
    if (state !== 'waiting') throw new Refusal('PAYOUT_NOT_HELD', { state })
    await moveIntent(tx, ref, 'waiting')
    await setFailures(tx, ref, 0)
    await clearAlarm(tx, { kind: HELD_ALARM, subject: `payout:${ref.id}`, at })
    await endWait(tx, ref, { chain: (await getPayout(tx, ref.id)).chain, reason: waitReason, at })
    await deps.recordAdminAction(tx, {
      ...actOn(input, at),
      action: 'payout.retry',
      before: { state, reason: waitReason },
      after: { state: 'waiting' },
    })
  })
}

/**
 * Holds a payout that was not signed yet, so that it is not paid until `retryPayout`.
 * @throws Refusal `PAYOUT_NOT_FOUND`, `PAYOUT_ENDED`, `PAYOUT_SIGNED`
 */
export async function holdPayout(
  deps: ManageDeps,
  input: ManageInput & { reason: string },
): Promise<void> {
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    const { ref, state, isHeld } = await lockPayout(tx, input.payoutId)
    if (state === 'final' || state === 'returned') throw new Refusal('PAYOUT_ENDED', { state })
    if (state === 'sent') throw new Refusal('PAYOUT_SIGNED')
    if (isHeld) return
    await moveIntent(tx, ref, { held: input.reason, at })
    await deps.recordAdminAction(tx, {
      ...actOn(input, at),
      action: 'payout.hold',
      before: { state },
      after: { state, reason: input.reason },
    })
  })
}

function actOn({ adminId, payoutId }: ManageInput, at: Date) {
  return { adminId, subject: `payout:${payoutId}`, at }
}

/**
 * Ends a payout that cannot succeed, so that its amount can be returned. The caller moves the amount out of
 * `account.payout(id)` in the same transaction.
 * @throws Refusal `PAYOUT_NOT_FOUND`, `PAYOUT_ENDED`, `PAYOUT_SIGNED` while a transaction may still take effect,
 * `PAYOUT_CHAIN_UNREAD` while the books lag behind the chain, as after a restore, or `PAYOUT_PAYMENT_FITS` while an
 * unexplained payment on chain may belong to it
 */
export async function voidPayout(tx: Tx, payoutId: bigint): Promise<void> {
  const { ref, state } = await lockPayout(tx, payoutId)
  if (state === 'final' || state === 'returned') throw new Refusal('PAYOUT_ENDED', { state })
  const live = await own(tx)
    .selectFrom('send_attempt')
    .select('id')
    .where('payout_id', '=', payoutId)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  const isUndecided = state === 'sent' || live !== undefined || (await isNamed(tx, payoutId))
  if (isUndecided) throw new Refusal('PAYOUT_SIGNED')
  const payout = await getPayout(tx, payoutId)
  await requireRead(tx, payout.chain)
  const [payment] = await fittingPayments(tx, payout)
  if (payment !== undefined) {
    throw new Refusal('PAYOUT_PAYMENT_FITS', { transaction: payment.txHash })
  }
  await moveIntent(tx, ref, 'returned')
  await moveAccount(tx, payout.accountId, { open: -payout.amount })
}

/**
 * Requires that the books contain everything the chain has paid up to its newest final block. A chain that was never
 * read has paid nothing.
 */
async function requireRead(tx: Tx, chain: Chain): Promise<void> {
  const facts = await chainFactsOf(tx, chain)
  if (facts === undefined) return
  const isRecent = msSince(facts.observedAt, realClock.now()) <= READ_WITHIN_MS
  const isRead = isRecent && facts.blockNumber >= facts.finalNumber
  if (!isRead || facts.isHalted) throw new Refusal('PAYOUT_CHAIN_UNREAD')
}

/** Whether an admin named a transaction that may still turn out to be the payment. */
async function isNamed(tx: Tx, payoutId: bigint): Promise<boolean> {
  const named = await own(tx)
    .selectFrom('manual_payment')
    .select('tx_hash')
    .where('payout_id', '=', payoutId)
    .where('problem', 'is', null)
    .executeTakeFirst()
  return named !== undefined
}

async function lockPayout(tx: Tx, payoutId: bigint) {
  const ref = { table: 'payout', id: payoutId } as const
  const known = await own(tx)
    .selectFrom('payout')
    .select('id')
    .where('id', '=', payoutId)
    .executeTakeFirst()
  if (known === undefined) throw new Refusal('PAYOUT_NOT_FOUND')
  return { ref, ...(await lockIntent(tx, ref)) }
}
