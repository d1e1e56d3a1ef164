import type { ErrorCode } from '@dct/api-contract/errors'
import type { LogEntry } from '@dct/chain-clients'
import type { Hex } from 'viem'
import { readTransfers } from '../payouts/index.ts'
import { latestClaimOf } from './latest-claim.ts'
import { formatUsdt } from './serialize-claim.ts'

/** The state of a transaction on BSC. */
export type SeenTransaction =
  | { kind: 'unknown' }
  | { kind: 'pending' }
  | { kind: 'failed' }
  | { kind: 'final'; blockNumber: bigint; blockTime: Date; logs: readonly LogEntry[] }

export type AwaitedPayment = {
  usdt: Hex
  receiver: Hex
  exact: bigint
  notBeforeBlock: bigint
  requestedAt: Date
}

/** `right` is left for the watcher to settle; `amounts` are the USDT amounts that reached the receiver. */
export type PaymentCheck =
  /** `isKnown`: a node knows it, or no node could be queried. */
  | { kind: 'waits'; isKnown: boolean }
  | { kind: 'right' }
  | { kind: 'wrong'; code: ErrorCode; message?: string; amounts: readonly bigint[] }

/** Whether a transaction is the payment of a fee, and if not, why; decided from its logs alone. */
export function checkPayment(seen: SeenTransaction, awaited: AwaitedPayment): PaymentCheck {
  if (seen.kind === 'unknown') return { kind: 'waits', isKnown: false }
  if (seen.kind === 'pending') return { kind: 'waits', isKnown: true }
  if (seen.kind === 'failed') return wrong('PAYMENT_FAILED')
  const transfers = readTransfers(seen.logs)
  const ofUsdt = transfers.filter(({ token }) => token === awaited.usdt)
  const amounts = ofUsdt.filter(({ to }) => to === awaited.receiver).map(({ value }) => value)
  if (amounts.includes(awaited.exact)) {
    const isBefore = awaited.requestedAt > latestClaimOf(seen.blockTime)
    return seen.blockNumber > awaited.notBeforeBlock && !isBefore
      ? { kind: 'right' }
      : { kind: 'wrong', code: 'PAYMENT_TOO_OLD', amounts }
  }
  const [nearest] = amounts.toSorted((a, b) => compare(distance(a, awaited), distance(b, awaited)))
  if (nearest !== undefined) return { ...wrongAmount(nearest, awaited.exact), amounts }
  if (ofUsdt.length > 0) return wrong('PAYMENT_OTHER_RECIPIENT')
  const isOtherToken = transfers.some(({ to }) => to === awaited.receiver)
  return wrong(isOtherToken ? 'PAYMENT_OTHER_TOKEN' : 'PAYMENT_WITHOUT_TRANSFER')
}

function wrong(code: ErrorCode) {
  return { kind: 'wrong', code, amounts: [] } as const
}

/** The error for a payment of the wrong amount, with the difference in its message. */
export function wrongAmount(received: bigint, expected: bigint) {
  const isLess = received < expected
  const by = formatUsdt(isLess ? expected - received : received - expected)
  const [code, how] = isLess
    ? (['PAYMENT_TOO_LITTLE', `too little by ${by}`] as const)
    : (['PAYMENT_TOO_MUCH', `too much by ${by}`] as const)
  const amounts = `Received ${formatUsdt(received)} USDT, expected exactly ${formatUsdt(expected)} USDT`
  return { kind: 'wrong', code, message: `${amounts}: ${how} USDT.` } as const
}

function distance(value: bigint, { exact }: AwaitedPayment): bigint {
  return value < exact ? exact - value : value - exact
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
