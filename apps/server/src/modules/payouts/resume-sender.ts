import { clearAlarm } from '../../platform/alarms.ts'
import { inTransaction, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { account, postTransfers } from '../ledger/index.ts'
import { buryAttempt } from './attempt-fate.ts'
import type { BscDeps } from './bsc-deps.ts'
import { liveAttempts } from './intents.queries.ts'
import type { ManageDeps } from './manage-payouts.ts'
import { buryNonce, readSender } from './nonces.queries.ts'
import { explainPayment } from './payments.queries.ts'
import { UNKNOWN_ALARM, unknownSubject } from './payout-alarms.ts'
import type { Chain } from './payouts.tables.ts'
import { acceptNonces } from './reconcile-nonces.ts'

export type ResumeDeps = ManageDeps & Pick<BscDeps, 'node' | 'wallet' | 'log'>

/**
 * An admin has looked at what used the payout wallet's nonces: the sender goes on behind them. A
 * payout whose nonce was taken by a final foreign transaction is freed for another try.
 */
export async function resumeSender(deps: ResumeDeps, adminId: bigint): Promise<void> {
  const used = await deps.node.nonceOf(deps.wallet, 'final')
  const live = await liveAttempts(deps.db, { chain: 'BSC', sender: deps.wallet, limit: 1_000 })
  for (const attempt of live) {
    if (attempt.nonce === null || attempt.nonce >= used) continue
    // Read after the nonce: if it were ours, this would find it.
    const { kind } = await deps.node.status(attempt.hash)
    if (kind !== 'unknown') continue
    const proof = { kind: 'nonce used by another', usedNonces: used, confirmedBy: `${adminId}` }
    const { nonce } = attempt
    await buryAttempt(deps, attempt, { kind: 'expired', proof }, (tx) =>
      buryNonce(tx, deps.wallet, { nonce, proof }),
    )
  }
  const { nextNonce, heldReason } = await readSender(deps.db, deps.wallet)
  await acceptNonces(deps, { end: Math.max(nextNonce ?? 0, used) })
  const at = deps.clock.now()
  await inTransaction(deps.db, (tx) =>
    deps.recordAdminAction(tx, {
      adminId,
      action: 'sender.resume',
      subject: 'sender:BSC',
      before: { next_nonce: nextNonce, held_reason: heldReason },
      after: { used_nonces: used },
      at,
    }),
  )
}

export type Explanation = {
  chain: Chain
  txHash: `0x${string}`
  logIndex: number
  explanation: string
  adminId: bigint
}

/**
 * An admin says what a payment was that belongs to no payout, such as a withdrawal by the owner. It
 * is booked on the owner's account.
 * @throws Refusal `PAYMENT_NOT_OPEN`
 */
export async function explainOpenPayment(deps: ManageDeps, input: Explanation): Promise<void> {
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    const explained = await explainPayment(tx, input)
    if (explained === undefined) throw new Refusal('PAYMENT_NOT_OPEN')
    await bookOnOwner(tx, input, { ...explained, at })
    await clearAlarm(tx, { kind: UNKNOWN_ALARM, subject: unknownSubject(input), at })
    await deps.recordAdminAction(tx, {
      adminId: input.adminId,
      action: 'payment.explain',
      subject: `${input.chain}:${input.txHash}:${input.logIndex}`,
      before: null,
      after: { explanation: input.explanation },
      at,
    })
  })
}

async function bookOnOwner(
  tx: Tx,
  { chain, txHash, logIndex }: Explanation,
  { amount, planCode, at }: { amount: bigint; planCode: string | null; at: Date },
): Promise<void> {
  await postTransfers(tx, [
    {
      debit: account.owner,
      credit: planCode === null ? account.payoutWallet : account.chainPool(planCode),
      asset: chain === 'BSC' ? 'USDT' : 'DCT',
      amount,
      kind: 'payment.explained',
      ref: `${chain}:${txHash}:${logIndex}`,
      at,
    },
  ])
}
