import type { FinalReceipt } from '@dct/chain-clients'
import type { Hex } from 'viem'
import { inTransaction, type Tx } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/errors.ts'
import { type FateDeps, nonceReadThrough } from '../bsc/nonce-fate.ts'
import type { Payout } from '../create-payout.ts'
import { readFinalReceipt } from '../final-receipt.ts'
import { finishPayout } from '../finish-payout.ts'
import { type Attempt, liveAttempts, lockIntent } from '../intents.queries.ts'
import type { ManageDeps } from '../manage-payouts.ts'
import { payoutOfTransaction } from '../payments.queries.ts'
import { assignTransfer } from './assign-transfer.ts'
import { checkManualPayment } from './check-manual-payment.ts'
import { findPayout, isOwnTransaction } from './manual-payments.queries.ts'

export type AttachDeps = ManageDeps &
  FateDeps & {
    usdt: Hex
    /** 20 bytes as hex: the current and former wallets that pay USDT for the service. */
    payoutWallets: readonly Hex[]
    /** Wallets that admins pay claims from. */
    adminWallets: readonly Hex[]
  }

/**
 * Books the on-chain payment that an admin names for a payout, when the service cannot know it: after the restore of a
 * backup that does not contain it, or when someone paid with the service's key. It is verified on chain: asset,
 * receiver, amount, that the payment came from one of our addresses, and that it pays nothing else. Safe to repeat.
 * @throws Refusal `PAYOUT_NOT_FOUND`, `PAYOUT_ENDED`, `PAYOUT_SIGNED`, `PAYMENT_NOT_FINAL`, `PAYMENT_NOT_OURS`,
 * `MANUAL_PAYMENT_USED`, or the reason why the transaction is not the payment
 */
export async function attachPayment(
  deps: AttachDeps,
  input: { payoutId: bigint; txHash: Hex; adminId: bigint },
): Promise<void> {
  const { payoutId, txHash, adminId } = input
  const payout = await findPayout(deps.db, payoutId)
  if (payout === undefined) throw new Refusal('PAYOUT_NOT_FOUND')
  if (payout.state === 'final' && payout.finalTx === txHash) return
  // What Tron paid to a stake is booked by its events alone.
  if (payout.chain === 'TRON') throw new Refusal('PAYMENT_OF_ANOTHER')
  const status = await readFinalReceipt(deps.node, txHash)
  const judged = await requireNothingElseCounts(deps, { payout, txHash })
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    await requireOpen(tx, { payout, judged })
    const isSigned = await isOwnTransaction(tx, txHash)
    if (isSigned && (await payoutOfTransaction(tx, txHash)) !== payoutId) {
      throw new Refusal('MANUAL_PAYMENT_USED')
    }
    const from = await takeUsdt(deps, tx, { payout, txHash, status })
    const { blockNumber, blockTime } = status
    const isFromOwner = deps.adminWallets.includes(from) && !deps.payoutWallets.includes(from)
    const evidence = { txHash, blockNumber, blockTime, isFromOwner }
    await finishPayout(tx, deps.onFinal, { payoutId, evidence, at })
    await deps.recordAdminAction(tx, {
      adminId,
      action: 'payout.attach_payment',
      subject: `payout:${payoutId}`,
      before: { state: payout.state },
      after: { state: 'final', tx_hash: txHash },
      at,
    })
  })
}

/**
 * Requires that no other transaction signed for the payout can take effect. On BSC that is certain when the payment
 * used the same nonce, or when the nonce is used and none of its variants was mined; in all other cases it refuses, and
 * the sender decides the attempt later.
 * @returns the hashes that were checked
 * @throws Refusal `PAYOUT_SIGNED`
 */
async function requireNothingElseCounts(
  deps: AttachDeps,
  { payout, txHash }: { payout: Payout; txHash: Hex },
): Promise<ReadonlySet<Hex>> {
  const live = await liveAttempts(deps.db, { chain: payout.chain, payoutId: payout.id })
  for (const attempt of live) {
    if (attempt.hash === txHash) continue
    if (!(await cannotCount(deps, attempt))) throw new Refusal('PAYOUT_SIGNED')
  }
  return new Set(live.map(({ hash }) => hash))
}

async function cannotCount(deps: AttachDeps, attempt: Attempt): Promise<boolean> {
  if (attempt.nonce === null) return false
  const read = await nonceReadThrough(deps, attempt.sender)
  if (read === undefined || read.used <= attempt.nonce) return false
  return (await deps.node.receipt(attempt.hash)).kind === 'unknown'
}

/** Under the payout's lock: requires that nothing was signed or booked since the checks. */
async function requireOpen(
  tx: Tx,
  { payout, judged }: { payout: Payout; judged: ReadonlySet<Hex> },
): Promise<void> {
  const { id, chain } = payout
  const { state } = await lockIntent(tx, { table: 'payout', id })
  if (state === 'final' || state === 'returned') throw new Refusal('PAYOUT_ENDED', { state })
  const live = await liveAttempts(tx, { chain, payoutId: id })
  if (live.some(({ hash }) => !judged.has(hash))) throw new Refusal('PAYOUT_SIGNED')
}

type Named = { payout: Payout; txHash: Hex; status: FinalReceipt }

/**
 * Assigns the transaction's first matching unused payment, so that nothing else can use it.
 * @returns which of our addresses it came from
 */
async function takeUsdt(
  { usdt, payoutWallets, adminWallets }: AttachDeps,
  tx: Tx,
  { payout, txHash, status }: Named,
): Promise<Hex> {
  const { blockNumber, blockTime, logs } = status
  const { to, amount } = payout
  const seen = { hasSucceeded: true, blockNumber, blockTime, logs }
  // No lower time limit: a claim that was made again after a restore is younger than its payment.
  const check = checkManualPayment(seen, { usdt, to, amount, since: null })
  if (check.kind === 'wrong') throw new Refusal(check.code, {}, check.message)
  const wallets = [...payoutWallets, ...adminWallets]
  const ours = check.transfers.filter(({ from }) => wallets.includes(from))
  if (ours.length === 0) throw new Refusal('PAYMENT_NOT_OURS')
  const taken = await assignTransfer(tx, { txHash, blockNumber, blockTime, to, amount }, ours)
  if (taken === undefined) throw new Refusal('MANUAL_PAYMENT_USED')
  return taken.from
}
