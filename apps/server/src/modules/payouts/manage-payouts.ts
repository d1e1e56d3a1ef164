import type { Clock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { moveAccount } from './accounts.queries.ts'
import { getPayout } from './create-payout.ts'
import { lockIntent, moveIntent, setFailures } from './intents.queries.ts'
import { own } from './payouts.tables.ts'
import { endSharedWaits } from './sender-deps.ts'
import { endWait } from './wait-alarms.ts'

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
    const { chain } = await getPayout(tx, ref.id)
    await endWait(tx, ref, { chain, reason: waitReason, at })
    await endSharedWaits(tx, { chain, at })
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
 * `account.payout(id)` in the same transaction. If a chain pays it after all, that is charged like any other advance.
 * @throws Refusal `PAYOUT_NOT_FOUND`, `PAYOUT_ENDED`, `PAYOUT_SIGNED` while a transaction may still take effect
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
  if (state === 'sent' || live !== undefined) throw new Refusal('PAYOUT_SIGNED')
  const payout = await getPayout(tx, payoutId)
  await moveIntent(tx, ref, 'returned')
  await moveAccount(tx, payout.accountId, { open: -payout.amount })
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
