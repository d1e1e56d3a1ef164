import type { Hex } from 'viem'
import type { Tx } from '../../platform/database/db.ts'
import { writeEvent } from '../../platform/outbox/write-messages.ts'
import { bytesOf } from '../chain/index.ts'
import { type Account, account, postTransfers, unusedRef } from '../ledger/index.ts'
import { moveAccount } from './accounts.queries.ts'
import type { Payout } from './create-payout.ts'
import { endAttempts, lockIntent, markFinal, winAttempt } from './intents.queries.ts'
import { clearAlarmsOf } from './payout-alarms.ts'
import { formatAddress } from './payout-texts.ts'
import { endWait } from './wait-alarms.ts'

/** A payment in a final block. */
export type PaymentEvidence = {
  txHash: Hex
  blockNumber: bigint
  blockTime: Date
}
export type FinalPayout = Payout & PaymentEvidence
/** Notifies the module that created the payout, in the transaction that ends it. Wired in main/. */
export type OnPayoutFinal = (tx: Tx, payout: FinalPayout) => Promise<void>

/**
 * Ends a payout that the chain has paid, in one transaction: its attempts, its account, the ledger, and
 * what the module does that created it. `credit` is the account that the payment came from.
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
  await clearAlarmsOf(tx, ref, at)
  const kind = 'payout.paid'
  await postTransfers(tx, [
    {
      debit: account.payout(payout.id),
      credit,
      asset: payout.asset,
      amount: payout.amount,
      kind,
      ref: await unusedRef(tx, kind, `${payout.id}`),
      at,
    },
  ])
  await reportSent(tx, payout, evidence)
  await onFinal(tx, { ...payout, ...evidence })
}

async function reportSent(tx: Tx, payout: Payout, evidence: PaymentEvidence): Promise<void> {
  await writeEvent(tx, {
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
