import { clearAlarm } from '../../platform/alarms/alarms.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { account, postTransfers } from '../ledger/index.ts'
import type { ManageDeps } from './manage-payouts.ts'
import { explainPayment } from './payments.queries.ts'
import { UNKNOWN_ALARM, unknownSubject } from './payout-alarms.ts'
import type { Chain } from './payouts.tables.ts'

export type Explanation = {
  chain: Chain
  txHash: `0x${string}`
  logIndex: number
  explanation: string
  adminId: bigint
}

/**
 * Stores an admin's explanation of a payment that belongs to no payout, such as a withdrawal by the owner, and books
 * the payment on the owner's account.
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
