import type { ErrorCode } from '@dct/api-contract/errors'
import type { LogEntry } from '@dct/chain-clients'
import { formatAmount } from '@dct/money'
import type { Hex } from 'viem'
import { readTransfers, type TokenTransfer } from '../payment-logs.ts'

/** The allowed difference between the clocks of BSC's validators and ours. */
export const CLOCK_SKEW_MS = 10 * 60_000

/** A transfer of exactly the owed amount. */
export type ExactTransfer = Pick<TokenTransfer, 'logIndex' | 'from'>

/** A transaction in a final block. */
export type FinalTransaction = {
  hasSucceeded: boolean
  blockNumber: bigint
  blockTime: Date
  logs: readonly LogEntry[]
}

export type ManualPaymentCheck =
  | { kind: 'right'; transfers: readonly ExactTransfer[] }
  | { kind: 'wrong'; code: ErrorCode; message?: string }

/** Whether a final transaction paid a payout, and if not, why; decided only by its logs. */
export function checkManualPayment(
  seen: FinalTransaction,
  owed: { usdt: Hex; to: Hex; amount: bigint; since: Date | null },
): ManualPaymentCheck {
  if (!seen.hasSucceeded) return { kind: 'wrong', code: 'PAYMENT_FAILED' }
  const moves = readTransfers(seen.logs)
  const arrived = moves.filter(({ to }) => to === owed.to)
  const ofUsdt = arrived.filter(({ token }) => token === owed.usdt)
  const exact = ofUsdt.filter(({ value }) => value === owed.amount)
  if (exact.length > 0) {
    const isOld =
      owed.since !== null && seen.blockTime.getTime() < owed.since.getTime() - CLOCK_SKEW_MS
    if (isOld) return { kind: 'wrong', code: 'MANUAL_PAYMENT_TOO_OLD' }
    return { kind: 'right', transfers: exact.map(({ logIndex, from }) => ({ logIndex, from })) }
  }
  const [other] = ofUsdt
  if (other !== undefined) return wrongAmount(other.value, owed.amount)
  if (arrived.length > 0) return { kind: 'wrong', code: 'MANUAL_PAYMENT_OTHER_TOKEN' }
  const hasUsdt = moves.some(({ token }) => token === owed.usdt)
  return {
    kind: 'wrong',
    code: hasUsdt ? 'MANUAL_PAYMENT_OTHER_RECIPIENT' : 'PAYMENT_WITHOUT_TRANSFER',
  }
}

function wrongAmount(paid: bigint, owed: bigint): ManualPaymentCheck {
  const [sent, wanted] = [formatAmount('USDT', paid), formatAmount('USDT', owed)]
  const message = `This transaction sent ${sent} USDT; the claim is exactly ${wanted} USDT.`
  return { kind: 'wrong', code: 'MANUAL_PAYMENT_WRONG_AMOUNT', message }
}
