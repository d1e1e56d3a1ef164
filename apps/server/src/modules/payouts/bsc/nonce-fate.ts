import type { Hex } from 'viem'
import { chainFactsOf } from '../../chain/index.ts'
import { expireAttempt } from '../attempt-fate.ts'
import { bookRecorded } from '../book-recorded.ts'
import { getPayout, type Payout } from '../create-payout.ts'
import { type Attempt, liveAttempts } from '../intents.queries.ts'
import { fittingPayments, type SeenPayment } from '../payments.queries.ts'
import type { BscDeps } from './bsc-deps.ts'
import { expireNonce } from './nonces.queries.ts'

export type FateDeps = Pick<BscDeps, 'db' | 'clock' | 'log' | 'node' | 'onFinal'>
export type NoncePlace = { sender: Hex; nonce: number }

/** The outcome for a nonce. Everything ever signed for it belongs to one intent, and at most one variant is mined. */
export type NonceFate =
  /** Not used in the blocks that the watcher has read, or not known to be: nothing can be concluded. */
  | { kind: 'unread' }
  /** Nothing signed for it is undecided any more. */
  | { kind: 'decided' }
  /** One of our variants is on chain; the sender books it once it is final. */
  | { kind: 'ours' }
  /** A variant that is missing from this database used the nonce and paid. */
  | { kind: 'forgotten'; payout: Payout; payment: SeenPayment }
  /** None of our variants is mined, but an unexplained payment may belong to this payout. */
  | { kind: 'fits'; payment: SeenPayment }
  /** Another transaction used the nonce without paying: no variant can ever be mined. */
  | { kind: 'lost'; first: Attempt; proof: Record<string, unknown> }

/**
 * How many nonces of a wallet are used in the blocks that the watcher has read; all payments made with them are
 * recorded. Undefined when that is not known: nothing is read yet, the chain is halted, or a node lacks that state.
 */
export async function nonceReadThrough(
  deps: Pick<FateDeps, 'db' | 'node'>,
  sender: Hex,
): Promise<{ used: number; blockNumber: bigint } | undefined> {
  const facts = await chainFactsOf(deps.db, 'BSC')
  if (facts === undefined || facts.isHalted) return undefined
  const { blockNumber } = facts
  const used = await deps.node.nonceAt(sender, blockNumber)
  return used === undefined ? undefined : { used, blockNumber }
}

/** Decides all variants of a nonce together, based on the chain and the recorded payments. */
export async function fateOfNonce(deps: FateDeps, place: NoncePlace): Promise<NonceFate> {
  const read = await nonceReadThrough(deps, place.sender)
  if (read === undefined || read.used <= place.nonce) return { kind: 'unread' }
  // Listed after the nonce was seen as used: a variant signed later can no longer be mined.
  const variants = await liveAttempts(deps.db, { chain: 'BSC', ...place })
  const [first] = variants
  if (first === undefined) return { kind: 'decided' }
  for (const { hash } of variants) {
    const { kind } = await deps.node.receipt(hash)
    if (kind !== 'unknown') return { kind: 'ours' }
  }
  const payout = await getPayout(deps.db, first.intent.id)
  const fitting = await fittingPayments(deps.db, payout)
  for (const payment of fitting) {
    if (payment.from !== place.sender) continue
    const transaction = await deps.node.transaction(payment.txHash)
    if (transaction?.nonce === place.nonce) return { kind: 'forgotten', payout, payment }
  }
  const [payment] = fitting
  if (payment !== undefined) return { kind: 'fits', payment }
  const proof = {
    kind: 'nonce used by another',
    usedNonces: read.used,
    atBlock: `${read.blockNumber}`,
  }
  return { kind: 'lost', first, proof }
}

/** Books the payment of a variant that is missing from this database. False when another process was faster. */
export function bookForgottenVariant(
  deps: FateDeps,
  { payout, payment }: Extract<NonceFate, { kind: 'forgotten' }>,
): Promise<boolean> {
  return bookRecorded(deps, { payout, payment, from: ['sent'] })
}

/** Gives up a nonce with all its variants, so that its payout is retried. Safe to repeat. */
export async function giveUpNonce(
  deps: FateDeps,
  { first, proof }: Extract<NonceFate, { kind: 'lost' }>,
  confirmedBy?: bigint,
): Promise<void> {
  const confirmed = confirmedBy === undefined ? {} : { confirmedBy: `${confirmedBy}` }
  const end = { kind: 'expired', proof: { ...proof, ...confirmed } } as const
  await expireAttempt(deps, first, end, (tx) =>
    expireNonce(tx, first.sender, { nonce: first.nonce ?? 0, proof: end.proof }),
  )
}
