import type { ErrorCode } from '@dct/api-contract/errors'
import type { LogEntry } from '@dct/chain-clients'
import { tokenAbi } from '@dct/contract-abi'
import { decodeEventLog, type Hex, toEventSelector } from 'viem'
import { formatUsdt } from './serialize-claim.ts'

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

/** The state of a transaction on BSC. */
export type SeenTransaction =
  | { kind: 'unknown' }
  | { kind: 'pending' }
  | { kind: 'failed' }
  | { kind: 'final'; blockNumber: bigint; logs: readonly LogEntry[] }

export type AwaitedPayment = {
  usdt: Hex
  receiver: Hex
  exact: bigint
  notBeforeBlock: bigint
}

/** `right` is left for the watcher to settle; `amounts` are the USDT amounts that reached the receiver. */
export type PaymentCheck =
  /** `isKnown`: a node knows it, or no node could be queried. */
  | { kind: 'waits'; isKnown: boolean }
  | { kind: 'right' }
  | { kind: 'wrong'; code: ErrorCode; message?: string; amounts: readonly bigint[] }

type Transfer = { token: Hex; to: Hex; value: bigint }

/** Whether a transaction is the payment of a fee, and if not, why; decided from its logs alone. */
export function checkPayment(seen: SeenTransaction, awaited: AwaitedPayment): PaymentCheck {
  if (seen.kind === 'unknown') return { kind: 'waits', isKnown: false }
  if (seen.kind === 'pending') return { kind: 'waits', isKnown: true }
  if (seen.kind === 'failed') return wrong('PAYMENT_FAILED')
  const transfers = seen.logs.flatMap(readTransfer)
  const ofUsdt = transfers.filter(({ token }) => token === awaited.usdt)
  const amounts = ofUsdt.filter(({ to }) => to === awaited.receiver).map(({ value }) => value)
  if (amounts.includes(awaited.exact)) {
    return seen.blockNumber > awaited.notBeforeBlock
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

function readTransfer(log: LogEntry): Transfer[] {
  const [signature, ...rest] = log.topics
  if (signature !== TRANSFER || rest.length !== 2) return []
  try {
    const topics: [Hex, ...Hex[]] = [signature, ...rest]
    const { args } = decodeEventLog({
      abi: tokenAbi,
      eventName: 'Transfer',
      data: log.data,
      topics,
    })
    // Zero-value transfers can be made by anyone in anyone's name.
    if (args.value === 0n) return []
    return [{ token: log.address, to: args.to.toLowerCase() as Hex, value: args.value }]
  } catch {
    // The log looks like a transfer, but its data is not an amount: viem only reports that by throwing.
    return []
  }
}

function distance(value: bigint, { exact }: AwaitedPayment): bigint {
  return value < exact ? exact - value : value - exact
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
