import type { Hex } from 'viem'
import type { Clock } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'
import { bytesOf } from '../chain/index.ts'
import { PAYOUT_COLUMNS, type Payout, readPayout } from './create-payout.ts'
import { finishPayout, type OnPayoutFinal } from './finish-payout.ts'
import { lockIntent } from './intents.queries.ts'
import { lockOpenPayment, type SeenPayment } from './payments.queries.ts'
import { own, type PayoutState } from './payouts.tables.ts'

export type BookDeps = { db: Db; clock: Clock; onFinal: OnPayoutFinal }

/**
 * States in which no transaction signed for a payout can still take effect, so that a payment not signed here may be
 * accepted as its payment.
 */
const WITHOUT_LIVE_ATTEMPT: readonly PayoutState[] = ['waiting']

/**
 * Books a payout as paid by a recorded payment that is not explained yet. The caller has checked that nothing else
 * signed for the payout can take effect: a `signed` payout qualifies only if the payment used its nonce.
 * @returns false when the payout has changed in the meantime, or the payment is used or explained
 */
export async function bookRecorded(
  deps: BookDeps,
  input: { payout: Payout; payment: SeenPayment; from: readonly PayoutState[] },
): Promise<boolean> {
  const { payout, payment, from } = input
  const isExact = payment.to === payout.to && payment.amount === payout.amount
  invariant(
    isExact && payment.chain === payout.chain && payment.planCode === payout.planCode,
    `payment ${payment.txHash} is not the payment of payout ${payout.id}`,
  )
  const at = deps.clock.now()
  return inTransaction(deps.db, async (tx) => {
    const { state } = await lockIntent(tx, { table: 'payout', id: payout.id })
    if (!from.includes(state) || !(await lockOpenPayment(tx, payment))) return false
    return finishPayout(tx, deps.onFinal, { payoutId: payout.id, evidence: payment, at })
  })
}

/** Like `bookRecorded`, for a payout without undecided transactions. */
export function bookUnsigned(
  deps: BookDeps,
  match: { payout: Payout; payment: SeenPayment },
): Promise<boolean> {
  return bookRecorded(deps, { ...match, from: WITHOUT_LIVE_ATTEMPT })
}

/**
 * The oldest unpaid USDT payout of this amount to this address that has no undecided transaction, whether the service
 * or an admin pays it.
 */
export async function payoutOwed(
  db: Db | Tx,
  payment: { to: Hex; amount: bigint },
): Promise<Payout | undefined> {
  const row = await own(db)
    .selectFrom('payout')
    .select(PAYOUT_COLUMNS)
    .where('chain', '=', 'BSC')
    .where('state', 'in', WITHOUT_LIVE_ATTEMPT)
    .where('to_address', '=', bytesOf(payment.to))
    .where('amount', '=', payment.amount)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && readPayout(row)
}
