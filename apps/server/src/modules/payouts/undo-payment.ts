import { greater } from '@dct/chain-clients/bigints'
import type { Hex } from 'viem'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/db.ts'
import { account, postTransfers, unusedRef } from '../ledger/index.ts'
import {
  type AccountKey,
  lockAccount,
  moveAccount,
  type PayoutAccount,
} from './accounts.queries.ts'
import { alarmMissing, assetOf, sourceOf } from './book-payment.ts'
import { finalPayouts, type Payout } from './create-payout.ts'
import { lockIntent, reopenIntent } from './intents.queries.ts'
import { deletePayment, sumPayments } from './payments.queries.ts'

export type UndoDeps = {
  clock: Clock
  /** Notifies the module that created the payout that it is not paid any more, in the same transaction. */
  onUndone(tx: Tx, payout: Payout): Promise<void>
}

/**
 * Takes back the booking of a payment that is gone from the chain although its block had been final: the account was paid
 * what its other payments state, and final payouts beyond that are open again, newest first. Their transactions are sent
 * again. If the payment returns to the chain, it is booked like any other, and the contract refuses a second one.
 */
export async function undoPayment(
  deps: UndoDeps,
  tx: Tx,
  undone: { account: AccountKey; txHash: Hex; logIndex: number },
): Promise<void> {
  const { txHash, logIndex } = undone
  const { chain } = undone.account
  const owner = await lockAccount(tx, undone.account)
  if (!(await deletePayment(tx, { chain, txHash, logIndex }))) return
  const at = deps.clock.now()
  const { total, amounts } = await sumPayments(tx, owner.id)
  const unread = greater(total - amounts, 0n)
  await reopenPayouts(deps, tx, { owner, total, at })
  await moveAccount(tx, owner.id, { paid: total - owner.paid, unread: unread - owner.unread })
  await alarmMissing(tx, { ...owner, unread }, at)
  const kind = 'payment.undone'
  await postTransfers(tx, [
    {
      debit: sourceOf(owner),
      credit: account.advance(owner.id),
      asset: assetOf(owner),
      amount: owner.paid - total,
      kind,
      ref: await unusedRef(tx, kind, `${chain}:${txHash}:${logIndex}`),
      at,
    },
  ])
}

/** Opens as many of the account's newest final payouts as its total does not cover. */
async function reopenPayouts(
  deps: UndoDeps,
  tx: Tx,
  { owner, total, at }: { owner: PayoutAccount; total: bigint; at: Date },
): Promise<void> {
  let { settled } = owner
  for (const payout of settled > total ? await finalPayouts(tx, owner.id) : []) {
    if (settled <= total) break
    settled -= payout.amount
    const ref = { table: 'payout', id: payout.id } as const
    await lockIntent(tx, ref)
    await reopenIntent(tx, ref)
    await moveAccount(tx, owner.id, { settled: -payout.amount, open: payout.amount })
    const kind = 'payout.undone'
    await postTransfers(tx, [
      {
        debit: account.advance(owner.id),
        credit: account.payout(payout.id),
        asset: payout.asset,
        amount: payout.amount,
        kind,
        ref: await unusedRef(tx, kind, `${payout.id}`),
        at,
      },
    ])
    await deps.onUndone(tx, payout)
  }
}
