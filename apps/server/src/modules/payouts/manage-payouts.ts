import type { RecordAdminAction } from '../../platform/admin-actions.ts'
import { clearAlarm } from '../../platform/alarms.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { lockIntent, moveIntent, setFailures } from './intents.queries.ts'
import { HELD_ALARM } from './payout-alarms.ts'
import './payouts.tables.ts'

export type ManageDeps = { db: Db; clock: Clock; recordAdminAction: RecordAdminAction }
export type ManageInput = { payoutId: bigint; adminId: bigint }

/**
 * Lets a held payout try again.
 * @throws Refusal `PAYOUT_NOT_FOUND`, `PAYOUT_NOT_HELD`
 */
export async function retryPayout(deps: ManageDeps, input: ManageInput): Promise<void> {
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    const { ref, state } = await lockPayout(tx, input.payoutId)
    if (state !== 'held') throw new Refusal('PAYOUT_NOT_HELD', { state })
    await moveIntent(tx, ref, 'queued')
    await setFailures(tx, ref, 0)
    await clearAlarm(tx, { kind: HELD_ALARM, subject: `payout:${ref.id}`, at })
    await deps.recordAdminAction(tx, {
      ...actOn(input, at),
      action: 'payout.retry',
      before: { state },
      after: { state: 'queued' },
    })
  })
}

/**
 * Keeps a payout that was not signed yet from being paid until `retryPayout`.
 * @throws Refusal `PAYOUT_NOT_FOUND`, `PAYOUT_ENDED`, `PAYOUT_SIGNED`
 */
export async function holdPayout(
  deps: ManageDeps,
  input: ManageInput & { reason: string },
): Promise<void> {
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    const { ref, state } = await lockPayout(tx, input.payoutId)
    if (state === 'final' || state === 'void') throw new Refusal('PAYOUT_ENDED', { state })
    if (state === 'signed') throw new Refusal('PAYOUT_SIGNED')
    if (state === 'held') return
    await moveIntent(tx, ref, { held: input.reason })
    await deps.recordAdminAction(tx, {
      ...actOn(input, at),
      action: 'payout.hold',
      before: { state },
      after: { state: 'held', reason: input.reason },
    })
  })
}

function actOn({ adminId, payoutId }: ManageInput, at: Date) {
  return { adminId, subject: `payout:${payoutId}`, at }
}

/**
 * Ends a payout that can't succeed, so that its amount can be returned. The caller moves the amount
 * out of `account.payout(id)` in the same transaction.
 * @throws Refusal `PAYOUT_ENDED`, or `PAYOUT_SIGNED` while a transaction may still count
 */
export async function voidPayout(tx: Tx, payoutId: bigint): Promise<void> {
  const { ref, state } = await lockPayout(tx, payoutId)
  if (state === 'final' || state === 'void') throw new Refusal('PAYOUT_ENDED', { state })
  const live = await tx
    .selectFrom('send_attempt')
    .select('id')
    .where('payout_id', '=', payoutId)
    .where('state', '=', 'LIVE')
    .executeTakeFirst()
  const isUndecided = state === 'signed' || live !== undefined || (await isNamed(tx, payoutId))
  if (isUndecided) throw new Refusal('PAYOUT_SIGNED')
  await moveIntent(tx, ref, 'void')
}

/** An admin named a transaction that may still turn out to be the payment. */
async function isNamed(tx: Tx, payoutId: bigint): Promise<boolean> {
  const named = await tx
    .selectFrom('hand_payment')
    .select('tx_hash')
    .where('payout_id', '=', payoutId)
    .where('problem', 'is', null)
    .executeTakeFirst()
  return named !== undefined
}

async function lockPayout(tx: Tx, payoutId: bigint) {
  const ref = { table: 'payout', id: payoutId } as const
  const known = await tx
    .selectFrom('payout')
    .select('id')
    .where('id', '=', payoutId)
    .executeTakeFirst()
  if (known === undefined) throw new Refusal('PAYOUT_NOT_FOUND')
  const { state } = await lockIntent(tx, ref)
  return { ref, state }
}
