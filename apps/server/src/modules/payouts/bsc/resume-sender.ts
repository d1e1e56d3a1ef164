import { type DbOrTx, inTransaction } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/errors.ts'
import { liveAttempts } from '../intents.queries.ts'
import type { ManageDeps } from '../manage-payouts.ts'
import { openPayments } from '../payments.queries.ts'
import type { BscDeps } from './bsc-deps.ts'
import {
  bookForgottenVariant,
  type FateDeps,
  fateOfNonce,
  giveUpNonce,
  type NonceFate,
  nonceReadThrough,
} from './nonce-fate.ts'
import { readSender } from './nonces.queries.ts'
import { acceptNonces } from './reconcile-nonces.ts'

export type ResumeDeps = ManageDeps & FateDeps & Pick<BscDeps, 'wallet' | 'crashPoint'>

/**
 * Releases the sender after an admin has checked what used the payout wallet's nonces; it continues after them. Payouts
 * whose nonce was used by another transaction are retried; nothing is given up unless the fate of every used nonce is
 * certain, the watcher has read everything that the wallet sent, and every payment from our wallets is explained. After a crash half-way the sender is still held, and resuming it again completes the work.
 * @throws Refusal `SENDER_NOT_HELD`, `SENDER_UNDECIDED`, `SENDER_PAYMENT_FITS`
 */
export async function resumeSender(deps: ResumeDeps, adminId: bigint): Promise<void> {
  const { wallet } = deps
  const { nextNonce, heldReason } = await readSender(deps.db, wallet)
  if (heldReason === null) throw new Refusal('SENDER_NOT_HELD')
  const sent = await deps.node.nonceOf(wallet, 'latest')
  const read = await nonceReadThrough(deps, wallet)
  if (read === undefined || read.used < sent) throw new Refusal('SENDER_UNDECIDED')
  const fates = await judge(deps, read.used)
  for (const fate of fates) {
    if (fate.kind === 'forgotten') await bookForgottenVariant(deps, fate)
  }
  await requireExplained(deps.db)
  for (const fate of fates) {
    if (fate.kind === 'lost') await giveUpNonce(deps, fate, adminId)
    deps.crashPoint('during-resume')
  }
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    await requireExplained(tx)
    const end = Math.max(nextNonce ?? 0, read.used)
    if (!(await acceptNonces(tx, deps, { end }))) throw new Refusal('SENDER_NOT_HELD')
    await deps.recordAdminAction(tx, {
      adminId,
      action: 'sender.resume',
      subject: 'sender:BSC',
      before: { next_nonce: nextNonce, held_reason: heldReason },
      after: { used_nonces: read.used },
      at,
    })
  })
}

/**
 * A payment that these books lost may be owed again by a claim that they still contain.
 * @throws Refusal `SENDER_PAYMENT_FITS`
 */
async function requireExplained(db: DbOrTx): Promise<void> {
  const [open] = await openPayments(db, { chain: 'BSC', limit: 1 })
  if (open !== undefined) throw new Refusal('SENDER_PAYMENT_FITS', { transaction: open.txHash })
}

/**
 * The fate of each used nonce that has undecided transactions.
 * @throws Refusal `SENDER_UNDECIDED`, `SENDER_PAYMENT_FITS` while one of them is uncertain
 */
async function judge(deps: ResumeDeps, used: number): Promise<NonceFate[]> {
  const live = await liveAttempts(deps.db, { chain: 'BSC', sender: deps.wallet })
  const nonces = new Set(live.flatMap(({ nonce }) => (nonce === null ? [] : [nonce])))
  const fates: NonceFate[] = []
  for (const nonce of nonces) {
    if (nonce >= used) continue
    const fate = await fateOfNonce(deps, { sender: deps.wallet, nonce })
    if (fate.kind === 'unread' || fate.kind === 'ours') throw new Refusal('SENDER_UNDECIDED')
    if (fate.kind === 'fits') {
      throw new Refusal('SENDER_PAYMENT_FITS', { transaction: fate.payment.txHash })
    }
    fates.push(fate)
  }
  return fates
}
