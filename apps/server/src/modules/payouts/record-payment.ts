import type { Hex } from 'viem'
import { raiseAlarm } from '../../platform/alarms.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import { bytesOf, type ChainEvent, hexOf } from '../chain/index.ts'
import { account, postTransfers } from '../ledger/index.ts'
import { getPayout, PAYOUT_COLUMNS, type Payout, readPayout } from './create-payout.ts'
import { finishPayout, type OnPayoutFinal } from './finish-payout.ts'
import { handPayoutLike } from './hand-payments.queries.ts'
import { lockIntent } from './intents.queries.ts'
import {
  explainPayment,
  insertPayment,
  payoutOfTransaction,
  type SeenPayment,
} from './payments.queries.ts'
import { UNKNOWN_ALARM, unknownSubject } from './payout-alarms.ts'

export type RecordDeps = { clock: Clock; onFinal: OnPayoutFinal }

/**
 * Handles the reward contract's RewardPaid: records the payment, and books its payout if the sender
 * has not done so. That is how a restored backup learns of payments it had forgotten.
 */
export async function onRewardPaid(deps: RecordDeps, tx: Tx, event: ChainEvent): Promise<void> {
  const payoutKey = event.args.payoutId as Hex
  const seen: SeenPayment = {
    ...placeOf(event),
    chain: 'TRON',
    payoutKey,
    planCode: event.args.planCode ?? '',
    to: event.args.to as Hex,
    amount: BigInt(event.args.amount ?? 0),
  }
  if (!(await insertPayment(tx, seen))) return
  const row = await tx
    .selectFrom('payout')
    .select(PAYOUT_COLUMNS)
    .where('payout_key', '=', bytesOf(payoutKey))
    .executeTakeFirst()
  await finishOrAlarm(deps, tx, seen, row === undefined ? undefined : readPayout(row))
}

export type WalletDeps = RecordDeps & {
  payoutWallet: Hex
  /** Fee receivers, now and formerly: what moves between these and the wallet stays ours. */
  feeReceivers: readonly Hex[]
}

/** Handles a Transfer of the pinned USDT contract that left or reached the payout wallet. */
export async function onWalletTransfer(deps: WalletDeps, tx: Tx, event: ChainEvent): Promise<void> {
  const { from, to, value } = event.args
  const amount = BigInt(value ?? 0)
  if (amount === 0n || from === to) return
  if (to === deps.payoutWallet) {
    const isOurs = deps.feeReceivers.some((receiver) => receiver === from)
    return bookTopUp(tx, event, { amount, isOurs })
  }
  if (from !== deps.payoutWallet) return
  const receiver = to as Hex
  const seen: SeenPayment = {
    ...placeOf(event),
    chain: 'BSC',
    payoutKey: null,
    planCode: null,
    to: receiver,
    amount,
  }
  if (!(await insertPayment(tx, seen))) return
  if (deps.feeReceivers.includes(receiver)) {
    // Whoever keeps the receiver's books takes it from the wallet's account to the receiver's.
    await explainPayment(tx, { ...seen, explanation: 'to a fee receiver of ours' })
    return
  }
  const payoutId = await payoutOfTransaction(tx, seen.txHash)
  // Where it was signed nowhere, an admin may have paid from this wallet by hand.
  const payout =
    payoutId === undefined ? await handPayoutLike(tx, seen) : await getPayout(tx, payoutId)
  await finishOrAlarm(deps, tx, seen, payout)
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

/** An odd payment must be seen by a person, and must not stop the watcher that found it. */
async function isPaymentOf(tx: Tx, payout: Payout, seen: SeenPayment): Promise<boolean> {
  const { state, finalTx } = await lockIntent(tx, { table: 'payout', id: payout.id })
  if (state === 'void' || (state === 'final' && finalTx !== seen.txHash)) return false
  return payout.to === seen.to && payout.amount === seen.amount && payout.planCode === seen.planCode
}
