import type { Tx } from '../../platform/database/db.ts'
import { type ChainEvent, hexOf } from '../chain/index.ts'
import { referrerPaid } from './bsc/vault-events.ts'
import { lockIntent, reopenIntent } from './intents.queries.ts'
import { own } from './payouts.tables.ts'
import { stakePaid } from './record-payment.ts'
import { type UndoDeps, undoPayment } from './undo-payment.ts'

/**
 * Takes back what an event of the contracts booked that is gone from the chain: a payment, or another call of ours. Both
 * are made again.
 * @returns false for any other event
 */
export async function undoEvent(deps: UndoDeps, tx: Tx, event: ChainEvent): Promise<boolean> {
  const place = { txHash: hexOf(event.txHash), logIndex: event.logIndex }
  switch (event.name) {
    case 'RewardPaid':
      await undoPayment(deps, tx, { ...place, account: stakePaid(event) })
      return true
    case 'ReferralPaid':
      await undoPayment(deps, tx, { ...place, account: referrerPaid(event) })
      return true
    default:
      return reopenCall(tx, event)
  }
}

/** Opens the call again whose transaction this was. What its event booked stays, as its effect is the same again. */
async function reopenCall(tx: Tx, { txHash }: ChainEvent): Promise<boolean> {
  const call = await own(tx)
    .selectFrom('operator_call')
    .select('id')
    .where('final_tx', '=', txHash)
    .executeTakeFirst()
  if (call === undefined) return false
  const ref = { table: 'operator_call', id: call.id } as const
  await lockIntent(tx, ref)
  await reopenIntent(tx, ref)
  return true
}
