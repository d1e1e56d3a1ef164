import { clearAlarm, raiseAlarm } from '../../../platform/alarms/alarms.ts'
import { inTransaction, type Tx } from '../../../platform/database/db.ts'
import { bookUnsigned, payoutOwed } from '../book-recorded.ts'
import { hasUnknownPayment, unsignedPayments } from '../payments.queries.ts'
import type { WaitReason } from '../sender-deps.ts'
import type { BscDeps } from './bsc-deps.ts'
import { nonceReadThrough } from './nonce-fate.ts'
import {
  countNonces,
  holdSender,
  readSender,
  recordForeignNonce,
  setNextNonce,
  startNonces,
} from './nonces.queries.ts'

export const SENDER_ALARM = 'sender.held'
const MATCHED_AT_ONCE = 200

/**
 * Compares the chain's nonce with the stored one before anything is signed. Nonces used by transactions unknown to this
 * database mean a restored backup or a compromised key: payments on chain that match a payout are booked; anything else
 * holds the sender until an admin has checked it. Nothing is guessed.
 * @returns why the sender may not sign now; undefined when it may
 */
export async function reasonAgainstSigning(deps: BscDeps): Promise<WaitReason | undefined> {
  // Read the chain first: the stored nonce, read afterwards, then covers all of our nonces that the chain counts.
  const used = await deps.node.nonceOf(deps.wallet, 'latest')
  const { nextNonce, heldReason } = await readSender(deps.db, deps.wallet)
  if (nextNonce === null) {
    if (!(await startCounting(deps))) return 'WATCHER_BEHIND'
    return reasonAgainstSigning(deps)
  }
  if (used <= nextNonce) {
    if (heldReason !== null) return 'SENDER_HELD'
    if (!(await areFormerWalletsRead(deps))) return 'WATCHER_BEHIND'
    return (await hasUnknownPayment(deps.db)) ? 'UNKNOWN_PAYMENT' : undefined
  }
  await hold(
    deps,
    `Nonces ${nextNonce} to ${used - 1} of the payout wallet were used by transactions that are not ours.`,
  )
  await explain(deps, { first: nextNonce, end: used })
  return 'SENDER_HELD'
}

/**
 * Stores the wallet's next nonce as the first one. If the wallet was used before, for example by a database that was
 * lost, the watcher must first have read all its past payments, so that none of them is repeated.
 * @returns false until it has
 */
async function startCounting(deps: BscDeps): Promise<boolean> {
  const pending = await deps.node.nonceOf(deps.wallet, 'pending')
  const read = pending === 0 ? undefined : await nonceReadThrough(deps, deps.wallet)
  if (pending > 0 && read?.used !== pending) return false
  await startNonces(deps.db, deps.wallet, pending)
  return true
}

/**
 * Whether the watcher has read everything that former wallets sent. A backup from before a key change does not contain
 * what the former key paid after the backup.
 */
async function areFormerWalletsRead(deps: BscDeps): Promise<boolean> {
  for (const wallet of deps.formerWallets) {
    const used = await deps.node.nonceOf(wallet, 'latest')
    if (used > 0 && (await nonceReadThrough(deps, wallet))?.used !== used) return false
  }
  return true
}

async function hold(deps: BscDeps, reason: string): Promise<void> {
  const at = deps.clock.now()
  if (!(await holdSender(deps.db, deps.wallet, { reason, at }))) return
  deps.log.error({ reason }, 'senderHeld')
  await raiseAlarm(deps.db, { kind: SENDER_ALARM, subject: 'BSC', message: reason, at })
}

/** Checks whether each of the nonces paid something that is owed, and releases the sender if all did. */
async function explain(deps: BscDeps, range: { first: number; end: number }): Promise<void> {
  if ((await deps.node.nonceOf(deps.wallet, 'final')) < range.end) return
  const payments = await unsignedPayments(deps.db, { from: deps.wallet, limit: MATCHED_AT_ONCE })
  for (const payment of payments) {
    const nonce = (await deps.node.transaction(payment.txHash))?.nonce ?? undefined
    if (nonce === undefined || nonce < range.first || nonce >= range.end) continue
    if (!payment.isSettled) {
      const payout = await payoutOwed(deps.db, payment)
      if (payout === undefined || !(await bookUnsigned(deps, { payout, payment }))) continue
    }
    const proof = { kind: 'not signed here', txHash: payment.txHash }
    await recordForeignNonce(deps.db, deps.wallet, { nonce, proof })
  }
  const noted = await countNonces(deps.db, deps.wallet, range)
  if (noted < range.end - range.first) return
  await inTransaction(deps.db, (tx) => acceptNonces(tx, deps, range))
}

/**
 * Accepts all nonces below `range.end` as used, so that the sender continues after them.
 * @returns false when the sender was not held
 */
export async function acceptNonces(
  tx: Tx,
  { clock, wallet }: Pick<BscDeps, 'clock' | 'wallet'>,
  range: { end: number },
): Promise<boolean> {
  if (!(await holdSender(tx, wallet, null))) return false
  await setNextNonce(tx, wallet, range.end)
  await clearAlarm(tx, { kind: SENDER_ALARM, subject: 'BSC', at: clock.now() })
  return true
}
