import { ERRORS } from '@dct/api-contract/errors'
import { type ChainReader, NodeUnavailable } from '@dct/chain-clients'
import type { Hex } from 'viem'
import { type Clock, realClock } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Loop } from '../../platform/loop.ts'
import { finishPayout, type OnPayoutFinal } from './finish-payout.ts'
import {
  findHandPayout,
  type HandPayout,
  handOver,
  isOwnTransaction,
  lockOpenPayment,
  type NamedPayment,
  noteLook,
  openNamed,
  saveNamed,
} from './hand-payments.queries.ts'
import { lockIntent } from './intents.queries.ts'
import {
  type ExactTransfer,
  type FinalTransaction,
  judgeHandPayment,
} from './judge-hand-payment.ts'
import { insertPayment } from './payments.queries.ts'

export type HandPaymentDeps = {
  db: Db
  clock: Clock
  /** Of BSC. */
  reader: Pick<ChainReader, 'finalReceipt' | 'transaction' | 'block'>
  usdt: Hex
  /** 20 bytes as hex: what leaves it is booked on its own account. */
  payoutWallet: Hex
  onFinal: OnPayoutFinal
}

const HASH = /^0x[0-9a-fA-F]{64}$/
const LOOKED_AT_ONCE = 20
/** A transaction that nobody knows for so long has a wrong hash, or was never sent. */
const UNKNOWN_AFTER_MS = 10 * 60_000

/**
 * Takes the transaction by which an admin says to have paid a payout. A final one is verified and booked
 * at once; another is looked at again until it is final. Repeating it is harmless.
 * @returns whether the payout is paid
 * @throws Refusal `PAYMENT_HASH_INVALID`, `PAYOUT_NOT_FOUND`, `PAYOUT_NOT_BY_HAND`, `PAYOUT_ENDED`, or
 * why the transaction is not the payment
 */
export async function nameHandPayment(
  deps: HandPaymentDeps,
  input: { payoutId: bigint; txHash: string; adminId: bigint },
  alsoInTransaction: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  const { payoutId, adminId } = input
  if (!HASH.test(input.txHash.trim())) throw new Refusal('PAYMENT_HASH_INVALID')
  const txHash = input.txHash.trim().toLowerCase() as Hex
  const payout = await findHandPayout(deps.db, payoutId)
  if (payout === undefined) throw new Refusal('PAYOUT_NOT_FOUND')
  if (isPaidBy(payout, txHash)) return true
  requireOpen(payout)
  const seen = await look(deps, txHash)
  return inTransaction(deps.db, async (tx) => {
    await alsoInTransaction(tx)
    await saveNamed(tx, { payoutId, txHash, adminId, at: realClock.now() })
    if (typeof seen === 'string') {
      if (await isOwnTransaction(tx, txHash)) throw new Refusal('HAND_PAYMENT_USED')
      return false
    }
    await settle(deps, tx, { payoutId, txHash, seen })
    return true
  })
}

/**
 * Looks again at transactions that admins have named and that were not final yet. In manual mode it
 * also leaves to the admins whatever waits to be sent.
 */
export function createHandPaymentLoop(
  deps: HandPaymentDeps & { isManual: boolean; lookEveryMs: number },
): Loop {
  return {
    name: 'hand payments',
    async step() {
      const left = deps.isManual ? await handOver(deps.db, deps.clock.now()) : 0
      const at = realClock.now()
      const before = new Date(at.getTime() - deps.lookEveryMs)
      const named = await openNamed(deps.db, { before, limit: LOOKED_AT_ONCE })
      for (const one of named) await lookAgain(deps, one, at)
      return left === 0 && named.length < LOOKED_AT_ONCE
    },
  }
}

async function lookAgain(deps: HandPaymentDeps, named: NamedPayment, at: Date): Promise<void> {
  const { payoutId, txHash } = named
  const seen = await look(deps, txHash)
  try {
    if (typeof seen !== 'string') {
      await inTransaction(deps.db, (tx) => settle(deps, tx, { payoutId, txHash, seen }))
      return
    }
    const isGivenUp =
      seen === 'unknown' && at.getTime() - named.namedAt.getTime() > UNKNOWN_AFTER_MS
    const problem = isGivenUp ? ERRORS.PAYMENT_NOT_FOUND.message : null
    await noteLook(deps.db, { payoutId, txHash, at, problem })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await noteLook(deps.db, { payoutId, txHash, at, problem: error.message })
  }
}

/** An answer that does not come changes nothing: the transaction stays to be looked at. */
async function look(
  { reader }: HandPaymentDeps,
  txHash: Hex,
): Promise<FinalTransaction | 'unknown' | 'waits'> {
  try {
    const receipt = await reader.finalReceipt(txHash)
    if (receipt === null) return (await reader.transaction(txHash)) === null ? 'unknown' : 'waits'
    const block = await reader.block(receipt.blockNumber)
    if (block === null) return 'waits'
    const { blockNumber, logs, succeeded: hasSucceeded } = receipt
    return { hasSucceeded, blockNumber, blockTime: block.time, logs }
  } catch (error) {
    if (error instanceof NodeUnavailable) return 'waits'
    throw error
  }
}

/** Books a payout as paid by one transfer of a final transaction; each transfer pays one payout. */
async function settle(
  deps: HandPaymentDeps,
  tx: Tx,
  { payoutId, txHash, seen }: { payoutId: bigint; txHash: Hex; seen: FinalTransaction },
): Promise<void> {
  await lockIntent(tx, { table: 'payout', id: payoutId })
  const payout = await findHandPayout(tx, payoutId)
  if (payout === undefined) throw new Refusal('PAYOUT_NOT_FOUND')
  if (isPaidBy(payout, txHash)) return
  requireOpen(payout)
  const { usdt, payoutWallet } = deps
  const { to, amount, createdAt: since } = payout
  const judgement = judgeHandPayment(seen, { usdt, to, amount, since })
  if (judgement.kind === 'wrong') throw new Refusal(judgement.code, {}, judgement.message)
  if (await isOwnTransaction(tx, txHash)) throw new Refusal('HAND_PAYMENT_USED')
  const { blockNumber, blockTime } = seen
  const place = { txHash, blockNumber, blockTime }
  const paidBy = await takeTransfer(tx, { ...place, to, amount }, judgement.transfers)
  if (paidBy === undefined) throw new Refusal('HAND_PAYMENT_USED')
  const evidence = { ...place, isFromOwner: paidBy.from !== payoutWallet }
  await finishPayout(tx, deps.onFinal, { payoutId, evidence, at: deps.clock.now() })
}

/** The first of these transfers that pays nothing else; records it unless the watcher has. */
async function takeTransfer(
  tx: Tx,
  payment: { txHash: Hex; blockNumber: bigint; blockTime: Date; to: Hex; amount: bigint },
  transfers: readonly ExactTransfer[],
): Promise<ExactTransfer | undefined> {
  for (const transfer of transfers) {
    const { logIndex } = transfer
    const seen = { ...payment, logIndex, chain: 'BSC', payoutKey: null, planCode: null } as const
    await insertPayment(tx, seen)
    if (await lockOpenPayment(tx, { txHash: payment.txHash, logIndex })) return transfer
  }
  return undefined
}

function isPaidBy(payout: HandPayout, txHash: Hex): boolean {
  return payout.state === 'final' && payout.finalTx === txHash
}

function requireOpen({ state, isByHand }: HandPayout): void {
  if (state === 'final' || state === 'void') throw new Refusal('PAYOUT_ENDED', { state })
  if (!isByHand) throw new Refusal('PAYOUT_NOT_BY_HAND')
}
