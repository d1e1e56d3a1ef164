import type { Hex } from 'viem'
import { clearAlarm } from '../../platform/alarms/alarms.ts'
import type { Tx } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'
import { tellEvent } from '../../platform/outbox/tell.ts'
import { bytesOf } from '../chain/index.ts'
import { type Account, account, postTransfers } from '../ledger/index.ts'
import { moveAccount } from './accounts.queries.ts'
import { getPayout, type Payout } from './create-payout.ts'
import { endAttempts, lockIntent, markFinal, winAttempt } from './intents.queries.ts'
import { isUnused } from './payments.queries.ts'
import { clearAlarmsOf, UNKNOWN_ALARM, unknownSubject } from './payout-alarms.ts'
import { formatAddress } from './payout-texts.ts'
import { own } from './payouts.tables.ts'
import { endWait } from './wait-alarms.ts'

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
 * Books a USDT payout as paid by a payment of its own, in one transaction. The caller has seen the payment's own event,
 * of exactly this amount, in a final block. Safe to repeat.
 * @returns false if it was already booked
 */
export async function finishPayout(
  tx: Tx,
  onFinal: OnPayoutFinal,
  input: { payoutId: bigint; evidence: PaymentEvidence; at: Date },
): Promise<boolean> {
  const { payoutId, evidence, at } = input
  const { state, finalTx } = await lockIntent(tx, { table: 'payout', id: payoutId })
  const payout = await getPayout(tx, payoutId)
  if (state === 'final') {
    invariant(
      finalTx === evidence.txHash,
      `payout ${payoutId} was paid by ${finalTx} and by ${evidence.txHash}`,
    )
    await linkPayment(tx, payout, { txHash: evidence.txHash, at })
    return false
  }
  await linkPayment(tx, payout, { txHash: evidence.txHash, at })
  await moveAccount(tx, payout.accountId, { paid: payout.amount })
  const credit = evidence.isFromOwner === true ? account.owner : account.payoutWallet
  await endPaid(tx, onFinal, { payout, evidence, credit, at })
  return true
}

/**
 * Ends a payout that the chain has paid, in one transaction: its attempts, its account, the ledger, and the notification
 * of the module that created it. `credit` is the account that the payment came from.
 */
export async function endPaid(
  tx: Tx,
  onFinal: OnPayoutFinal,
  paid: { payout: Payout; evidence: PaymentEvidence; credit: Account; at: Date },
): Promise<void> {
  const { payout, evidence, credit, at } = paid
  const ref = { table: 'payout', id: payout.id } as const
  const { waitReason } = await lockIntent(tx, ref)
  await winAttempt(tx, ref, { hash: evidence.txHash, at })
  await endAttempts(tx, ref, { proof: { kind: 'paid', txHash: evidence.txHash }, at })
  await markFinal(tx, ref, {
    txHash: evidence.txHash,
    blockNumber: evidence.blockNumber,
    at: evidence.blockTime,
  })
  await moveAccount(tx, payout.accountId, { settled: payout.amount, open: -payout.amount })
  await endWait(tx, ref, { chain: payout.chain, reason: waitReason, at })
  await clearAlarmsOf(tx, { payoutId: payout.id, at })
  await postTransfers(tx, [
    {
      debit: account.payout(payout.id),
      credit,
      asset: payout.asset,
      amount: payout.amount,
      kind: 'payout.paid',
      ref: `${payout.id}`,
      at,
    },
  ])
  await tellSent(tx, payout, evidence)
  await onFinal(tx, { ...payout, ...evidence })
}

async function tellSent(tx: Tx, payout: Payout, evidence: PaymentEvidence): Promise<void> {
  await tellEvent(tx, {
    type: 'payout.sent',
    key: `${payout.chain}:${evidence.txHash}:${payout.cause}`,
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
