import type { Hex } from 'viem'
import { clearAlarm } from '../../platform/alarms/alarms.ts'
import type { Tx } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'
import { tellEvent } from '../../platform/outbox/tell.ts'
import { bytesOf } from '../chain/index.ts'
import { type Account, account, postTransfers } from '../ledger/index.ts'
import { getPayout, type Payout } from './create-payout.ts'
import { endAttempts, lockIntent, markFinal, winAttempt } from './intents.queries.ts'
import { isUnused } from './payments.queries.ts'
import { clearAlarmsOf, UNKNOWN_ALARM, unknownSubject } from './payout-alarms.ts'
import { formatAddress } from './payout-texts.ts'
import { own } from './payouts.tables.ts'

/** A payment in a final block. */
export type PaymentEvidence = {
  txHash: Hex
  blockNumber: bigint
  blockTime: Date
  /** An admin paid from a wallet that is not the service's. Booked as the owner's money. */
  isFromOwner?: boolean
}
export type FinalPayout = Payout & PaymentEvidence
/** Notifies the module that created the payout, in the transaction that ends it. Wired in main/. */
export type OnPayoutFinal = (tx: Tx, payout: FinalPayout) => Promise<void>

/**
 * Books a payout as paid, in one transaction: its attempts, the ledger, and the notification of the module that created
 * it. The caller has seen the payment's own event, of exactly this amount, in a final block. Safe to repeat.
 * @returns false if it was already booked
 */
export async function finishPayout(
  tx: Tx,
  onFinal: OnPayoutFinal,
  input: { payoutId: bigint; evidence: PaymentEvidence; at: Date },
): Promise<boolean> {
  const { payoutId, evidence, at } = input
  const ref = { table: 'payout', id: payoutId } as const
  const { state, finalTx } = await lockIntent(tx, ref)
  const payout = await getPayout(tx, payoutId)
  if (state === 'final') {
    invariant(
      finalTx === evidence.txHash,
      `payout ${payoutId} was paid by ${finalTx} and by ${evidence.txHash}`,
    )
    await linkPayment(tx, payout, { txHash: evidence.txHash, at })
    return false
  }
  await winAttempt(tx, ref, { hash: evidence.txHash, at })
  await endAttempts(tx, ref, { proof: { kind: 'paid', txHash: evidence.txHash }, at })
  await markFinal(tx, ref, {
    txHash: evidence.txHash,
    blockNumber: evidence.blockNumber,
    at: evidence.blockTime,
  })
  await linkPayment(tx, payout, { txHash: evidence.txHash, at })
  await clearAlarmsOf(tx, { payoutId, at })
  await postTransfers(tx, [
    {
      debit: account.payout(payoutId),
      credit: sourceOf(payout, evidence),
      asset: payout.asset,
      amount: payout.amount,
      kind: 'payout.paid',
      ref: `${payoutId}`,
      at,
    },
  ])
  await tellSent(tx, payout, evidence)
  await onFinal(tx, { ...payout, ...evidence })
  return true
}

async function tellSent(tx: Tx, payout: Payout, evidence: PaymentEvidence): Promise<void> {
  await tellEvent(tx, {
    type: 'payout.sent',
    key: `${payout.chain}:${evidence.txHash}:${payout.payoutKey}`,
    at: evidence.blockTime,
    data: {
      payout_id: `${payout.id}`,
      chain: payout.chain,
      to: formatAddress(payout.chain, bytesOf(payout.to)),
      amount: { asset: payout.asset, units: payout.amount },
      tx_hash: evidence.txHash,
    },
  })
}

function sourceOf({ planCode }: Payout, { isFromOwner }: PaymentEvidence): Account {
  if (isFromOwner === true) return account.owner
  return planCode === null ? account.payoutWallet : account.chainPool(planCode)
}

/** Links the payment's event to the payout if the watcher has already recorded it. */
async function linkPayment(
  tx: Tx,
  payout: Payout,
  { txHash, at }: { txHash: Hex; at: Date },
): Promise<void> {
  const ours = own(tx)
    .selectFrom('chain_payment')
    .select('log_index')
    .where('chain', '=', payout.chain)
    .where('tx_hash', '=', bytesOf(txHash))
    .where('to_address', '=', bytesOf(payout.to))
    .where('amount', '=', payout.amount)
    .where(isUnused)
    .orderBy('log_index')
    .limit(1)
  const linked = await own(tx)
    .updateTable('chain_payment')
    .set({ payout_id: payout.id, explanation: null })
    .where('chain', '=', payout.chain)
    .where('tx_hash', '=', bytesOf(txHash))
    .where('log_index', '=', ours)
    .returning('log_index')
    .executeTakeFirst()
  if (linked === undefined) return
  const subject = unknownSubject({ chain: payout.chain, txHash, logIndex: linked.log_index })
  await clearAlarm(tx, { kind: UNKNOWN_ALARM, subject, at })
}
