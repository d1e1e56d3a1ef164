import { formatAmount } from '@dct/money'
import { callContract } from '../chain/call-contract.ts'
import { bandwidthOf, type CallCost, costOf, readFunds } from '../chain/call-cost.ts'
import type { ChainTranslate } from '../chain/chain.texts.ts'
import type { SendableCall } from '../chain/contract-call.ts'
import { type RevertReason, revertSentence } from '../chain/revert-reason.ts'
import { type SentHash, type SigningWallet, sendCall } from '../chain/send-call.ts'
import { waitForTransaction } from '../chain/wait-for-transaction.ts'
import type { TxTranslate } from './tx.texts.ts'
import type { TxReport } from './tx-report.ts'

/** Why a transaction was not sent, or failed; the message is ready to be shown. */
export class TxRefusal extends Error {
  override name = 'TxRefusal'
}

/** Nothing has shown yet what became of a transaction that was sent; it may have gone through. */
export class TxUnseen extends TxRefusal {
  override name = 'TxUnseen'
  readonly hash: string
  constructor(message: string, hash: string) {
    super(message)
    this.hash = hash
  }
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
  /** Reads from the contract whether the call has taken effect. */
  isDone(): Promise<boolean>
  /** Called with the transaction before it is broadcast. */
  onSigned?: (sent: SentHash) => void
}

/**
 * Simulates a call, logs its cost, has it signed and sent, and waits until the chain has included it.
 * @throws TxRefusal when it would fail, cannot be paid for or failed; TxUnseen; WalletError; NodeError
 */
export async function executeCall(deps: ExecuteDeps, input: ExecuteInput): Promise<SentHash> {
  const { text } = deps
  const { from, call, report, signal, isDone } = input
  const cost = await tryOut(deps, input)
  logCost(deps, report, cost)

  report.asked()
  report.log(() => text('logConfirm'))
  const sent = await sendCall(
    deps,
    { from, call, signal, feeLimitSun: cost.feeLimitSun },
    (signed) => {
      input.onSigned?.(signed)
      report.signed(signed.hash)
      report.log(() => text('logSent', { hash: signed.hash }))
    },
  )
  await requireShown(deps, { sent, signal, isDone })
  report.included()
  report.log(() => text('logIncluded'))
  return sent
}

/**
 * Waits until the chain, or the contract, shows that a transaction succeeded.
 * @throws TxRefusal if it failed in a final block; TxUnseen if nothing has shown its outcome; the signal's reason
 */
export async function requireShown(
  deps: Pick<ExecuteDeps, 'node' | 'text' | 'chainText'>,
  { sent, signal, isDone }: Pick<ExecuteInput, 'signal' | 'isDone'> & { sent: SentHash },
): Promise<void> {
  const end = await waitForTransaction(deps.node, sent, signal)
  if (end.status === 'failed') throw failure(deps, end.reason)
  if (end.status === 'unseen' && !(await isDone().catch(() => false))) {
    throw new TxUnseen(deps.text('unseen'), sent.hash)
  }
}

/** The refusal to show for a transaction that failed on chain. */
export function failure(
  { text, chainText }: Pick<ExecuteDeps, 'text' | 'chainText'>,
  reason: RevertReason,
): TxRefusal {
  return new TxRefusal(text('reverted', { reason: revertSentence(chainText, reason) }))
}

/** Logs what a call will cost. */
export function logCost(
  { text }: Pick<ExecuteDeps, 'text'>,
  report: TxReport,
  { energy, bandwidth, feeSun }: CallCost,
): void {
  report.log(() => text('logCost', { energy, bandwidth, trx: formatAmount('TRX', feeSun) }))
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
