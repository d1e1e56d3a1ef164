import { clearAlarm, raiseAlarm } from '../../platform/alarms.ts'
import { inTransaction } from '../../platform/db.ts'
import { bytesOf } from '../chain/index.ts'
import type { BscDeps } from './bsc-deps.ts'
import { bookForgotten } from './bsc-readiness.ts'
import { PAYOUT_COLUMNS, type Payout, readPayout } from './create-payout.ts'
import {
  countNonces,
  holdSender,
  noteForeignNonce,
  readSender,
  setNextNonce,
  startNonces,
} from './nonces.queries.ts'
import { type OpenPayment, openPayments } from './payments.queries.ts'

export const SENDER_ALARM = 'sender.held'
const MATCHED_AT_ONCE = 200

/**
 * Compares the chain's nonce with our own count before anything is signed. A nonce that was used
 * without us means a restored backup or a foreign hand: payments that we know to owe and find on
 * chain are booked, anything else holds the sender until an admin has looked. Nothing is guessed.
 * @returns whether the sender may sign
 */
export async function mayTakeNonces(deps: BscDeps): Promise<boolean> {
  // The chain first: whatever of ours it shows by now is counted in what is read afterwards.
  const used = await deps.node.nonceOf(deps.wallet, 'latest')
  const { nextNonce, heldReason } = await readSender(deps.db, deps.wallet)
  if (nextNonce === null) {
    await startNonces(deps.db, deps.wallet, await deps.node.nonceOf(deps.wallet, 'pending'))
    return mayTakeNonces(deps)
  }
  if (used <= nextNonce) return heldReason === null
  await hold(deps, `Nonces ${nextNonce} to ${used - 1} of the payout wallet were used without us.`)
  await explain(deps, { first: nextNonce, end: used })
  return false
}

async function hold(deps: BscDeps, reason: string): Promise<void> {
  const at = deps.clock.now()
  if (!(await holdSender(deps.db, deps.wallet, { reason, at }))) return
  deps.log.error({ reason }, 'senderHeld')
  await raiseAlarm(deps.db, { kind: SENDER_ALARM, subject: 'BSC', message: reason, at })
}

/** Looks whether each of the nonces paid something that we owe, and goes on if all did. */
async function explain(deps: BscDeps, range: { first: number; end: number }): Promise<void> {
  if ((await deps.node.nonceOf(deps.wallet, 'final')) < range.end) return
  const payments = await openPayments(deps.db, { chain: 'BSC', limit: MATCHED_AT_ONCE })
  for (const payment of payments) {
    const nonce = await deps.node.nonceOfTransaction(payment.txHash)
    const owed = await owedLike(deps, payment)
    if (nonce === undefined || owed === undefined) continue
    if (!(await bookForgotten(deps, owed))) continue
    const proof = { kind: 'not signed here', txHash: payment.txHash }
    await noteForeignNonce(deps.db, deps.wallet, { nonce, proof })
  }
  const noted = await countNonces(deps.db, deps.wallet, range)
  if (noted === range.end - range.first) await acceptNonces(deps, range)
}

/** The oldest payout of that amount to that address which is still to be paid. */
async function owedLike(deps: BscDeps, payment: OpenPayment): Promise<Payout | undefined> {
  const row = await deps.db
    .selectFrom('payout')
    .select(PAYOUT_COLUMNS)
    .where('chain', '=', 'BSC')
    .where('state', 'in', ['queued', 'held'])
    .where('to_address', '=', bytesOf(payment.to))
    .where('amount', '=', payment.amount)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? undefined : readPayout(row)
}

/** Counts nonces as used by somebody else, and lets the sender go on behind them. */
export async function acceptNonces(
  deps: Pick<BscDeps, 'db' | 'clock' | 'wallet'>,
  range: { end: number },
): Promise<void> {
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    await setNextNonce(tx, deps.wallet, range.end)
    await holdSender(tx, deps.wallet, null)
    await clearAlarm(tx, { kind: SENDER_ALARM, subject: 'BSC', at })
  })
}
