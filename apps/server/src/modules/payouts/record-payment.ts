import type { Hex } from 'viem'
import { raiseAlarm } from '../../platform/alarms/alarms.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/db.ts'
import { type ChainEvent, hexOf } from '../chain/index.ts'
import { account, postTransfers } from '../ledger/index.ts'
import { type BookDeps, bookPayment } from './book-payment.ts'
import { payoutOwed } from './book-recorded.ts'
import { getPayout, type Payout } from './create-payout.ts'
import { finishPayout, type OnPayoutFinal } from './finish-payout.ts'
import { lockIntent } from './intents.queries.ts'
import { recordOfAdmin } from './manual/admin-wallets.ts'
import {
  explainPayment,
  insertPayment,
  payoutOfTransaction,
  type SeenPayment,
} from './payments.queries.ts'
import { UNKNOWN_ALARM, unknownSubject } from './payout-alarms.ts'

export type RecordDeps = { clock: Clock; onFinal: OnPayoutFinal }

/** Handles the reward contract's RewardPaid. */
export async function onRewardPaid(deps: BookDeps, tx: Tx, event: ChainEvent): Promise<void> {
  const to = event.args.to as Hex
  await bookPayment(deps, tx, {
    ...placeOf(event),
    account: { chain: 'TRON', holder: to, name: event.args.planCode ?? '' },
    from: hexOf(event.address),
    to,
    amount: BigInt(event.args.amount ?? 0),
    total: BigInt(event.args.total ?? 0),
  })
}

export type WalletDeps = RecordDeps & {
  /** Current and former payout wallets. */
  payoutWallets: readonly Hex[]
  /** Wallets that admins pay claims from. */
  adminWallets: readonly Hex[]
  /** Current and former fee receivers. Transfers between these and the payout wallets are internal. */
  feeReceivers: readonly Hex[]
}

/**
 * Handles a Transfer of the pinned USDT contract from or to a payout wallet, or from an admin's wallet. All payout
 * wallets share one account, so that a transfer from a former one to the current one changes nothing.
 */
export async function onWalletTransfer(deps: WalletDeps, tx: Tx, event: ChainEvent): Promise<void> {
  const [from, receiver] = [event.args.from as Hex, event.args.to as Hex]
  const amount = BigInt(event.args.value ?? 0)
  if (amount === 0n) return
  const isSpent = deps.payoutWallets.includes(from)
  if (deps.payoutWallets.includes(receiver)) {
    if (isSpent) return
    return bookTopUp(tx, event, { amount, isOurs: deps.feeReceivers.includes(from) })
  }
  if (!isSpent && !deps.adminWallets.includes(from)) return
  const seen: SeenPayment = {
    ...placeOf(event),
    chain: 'BSC',
    planCode: null,
    from,
    to: receiver,
    amount,
  }
  if (!isSpent) {
    // Transfers to a fee receiver are booked by the fee handlers.
    if (!deps.feeReceivers.includes(receiver)) await recordOfAdmin(deps, tx, seen)
    return
  }
  if (!(await insertPayment(tx, seen))) return
  if (deps.feeReceivers.includes(receiver)) {
    // The handlers of fee receivers move the amount from the wallet's account to the receiver's.
    await explainPayment(tx, { ...seen, explanation: 'to a fee receiver of ours' })
    return
  }
  const payoutId = await payoutOfTransaction(tx, seen.txHash)
  if (payoutId !== undefined) {
    await finishOrAlarm(deps, tx, seen, await getPayout(tx, payoutId))
    return
  }
  // Signed by a lost database, or by a person who has the key: it pays a payout of this amount to this address. A
  // payout that is being sent is left to its sender, which compares the nonces.
  const owed = await payoutOwed(tx, seen)
  const isOpen = owed !== undefined && (await isWithoutAttempt(tx, owed.id))
  await finishOrAlarm(deps, tx, seen, isOpen ? owed : undefined)
}

function placeOf({ txHash, logIndex, blockNumber, blockTime }: ChainEvent) {
  return { txHash: hexOf(txHash), logIndex, blockNumber, blockTime }
}

async function bookTopUp(
  tx: Tx,
  event: ChainEvent,
  { amount, isOurs }: { amount: bigint; isOurs: boolean },
): Promise<void> {
  await postTransfers(tx, [
    {
      debit: account.payoutWallet,
      credit: isOurs ? account.feeReceiver : account.owner,
      asset: 'USDT',
      amount,
      kind: 'payout_wallet.topped_up',
      ref: `${hexOf(event.txHash)}:${event.logIndex}`,
      at: event.blockTime,
    },
  ])
}

async function finishOrAlarm(
  deps: RecordDeps,
  tx: Tx,
  seen: SeenPayment,
  payout: Payout | undefined,
): Promise<void> {
  const at = deps.clock.now()
  if (payout !== undefined && (await isPaymentOf(tx, payout, seen))) {
    await finishPayout(tx, deps.onFinal, { payoutId: payout.id, evidence: seen, at })
    return
  }
  await raiseAlarm(tx, {
    kind: UNKNOWN_ALARM,
    subject: unknownSubject(seen),
    message: `A payment of ${seen.amount} base units to ${seen.to} (${seen.chain}) belongs to no payout of ours.`,
    at,
  })
}

/** Checked under the payout's lock, because its sender may have been faster. */
async function isWithoutAttempt(tx: Tx, payoutId: bigint): Promise<boolean> {
  const { state } = await lockIntent(tx, { table: 'payout', id: payoutId })
  return state === 'waiting'
}

/**
 * Whether a payment pays this payout. Does not throw on a mismatch: an odd payment needs an admin, but must not stop
 * the watcher.
 */
async function isPaymentOf(tx: Tx, payout: Payout, seen: SeenPayment): Promise<boolean> {
  const { state, finalTx } = await lockIntent(tx, { table: 'payout', id: payout.id })
  if (state === 'returned' || (state === 'final' && finalTx !== seen.txHash)) return false
  return payout.to === seen.to && payout.amount === seen.amount
}
