import { formatAmount } from '@dct/money'
import { callContract } from '../chain/call-contract.ts'
import { bandwidthOf, type CallCost, costOf, readFunds } from '../chain/call-cost.ts'
import type { ChainTranslate } from '../chain/chain.texts.ts'
import type { SendableCall } from '../chain/contract-call.ts'
import { revertSentence } from '../chain/revert-reason.ts'
import { type SentHash, type SigningWallet, sendCall } from '../chain/send-call.ts'
import { type TransactionEnd, waitForTransaction } from '../chain/wait-for-transaction.ts'
import type { TxTranslate } from './tx.texts.ts'
import type { TxReport } from './tx-report.ts'

/** Why a transaction was not sent, or failed; the message is ready to be shown. */
export class TxRefusal extends Error {
  override name = 'TxRefusal'
}

export type ExecuteDeps = SigningWallet & {
  text: TxTranslate
  chainText: ChainTranslate
}

export type ExecuteInput = {
  from: string
  call: SendableCall
  report: TxReport
  signal: AbortSignal
  /** Called with the transaction before it is broadcast. */
  onSigned?: (sent: SentHash) => void
}

/**
 * Simulates a call, logs its cost, has it signed and sent, and waits until the chain has included it.
 * @throws TxRefusal when it would fail, cannot be paid for, failed or expired; WalletError; NodeError
 */
export async function executeCall(deps: ExecuteDeps, input: ExecuteInput): Promise<SentHash> {
  const { node, text } = deps
  const { from, call, report, signal } = input
  const cost = await tryOut(deps, input)
  logCost(deps, report, cost)

  report.asked()
  report.log(text('logConfirm'))
  const sent = await sendCall(deps, { from, call, feeLimitSun: cost.feeLimitSun }, (signed) => {
    input.onSigned?.(signed)
    report.signed(signed.hash)
    report.log(text('logSent', { hash: signed.hash }))
  })
  requireSuccess(deps, await waitForTransaction(node, sent, signal))
  report.included()
  report.log(text('logIncluded'))
  return sent
}

/** @throws TxRefusal unless the transaction was included and succeeded */
export function requireSuccess(
  { text, chainText }: Pick<ExecuteDeps, 'text' | 'chainText'>,
  end: TransactionEnd,
): void {
  if (end.status === 'expired') throw new TxRefusal(text('expired'))
  if (end.status === 'failed') {
    throw new TxRefusal(text('reverted', { reason: revertSentence(chainText, end.reason) }))
  }
}

/** Logs what a call will cost. */
export function logCost(
  { text }: Pick<ExecuteDeps, 'text'>,
  report: TxReport,
  { energy, bandwidth, feeSun }: CallCost,
): void {
  report.log(text('logCost', { energy, bandwidth, trx: formatAmount('TRX', feeSun) }))
}

/**
 * Simulates a call and calculates what it would cost.
 * @throws TxRefusal when it would fail or cannot be paid for
 */
export async function tryOut(
  { node, text, chainText }: ExecuteDeps,
  { from, call }: Pick<ExecuteInput, 'from' | 'call'>,
): Promise<CallCost> {
  const means = await readFunds(node(), from)
  if (!means.isActive) {
    throw new TxRefusal(
      text('inactive', { fee: formatAmount('TRX', BigInt(means.prices.activation)) }),
    )
  }
  const outcome = await callContract(node(), from, call)
  if (!outcome.ok) throw new TxRefusal(revertSentence(chainText, outcome.reason))
  if (call.answersTruth && isFalse(outcome.result)) throw new TxRefusal(text('answeredNo'))
  const bandwidth = bandwidthOf(call)
  const cost = costOf({ energy: outcome.energy, bandwidth }, means)
  if (cost.neededSun > cost.balanceSun) {
    const needed = formatAmount('TRX', cost.neededSun)
    throw new TxRefusal(text('noTrx', { needed, balance: formatAmount('TRX', cost.balanceSun) }))
  }
  return cost
}

/** A token that answers nothing, as older ones do, accepts. */
function isFalse(result: string): boolean {
  return result !== '' && /^0*$/.test(result)
}
