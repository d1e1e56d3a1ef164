import { ERRORS } from '@dct/api-contract/errors'
import { type ChainReader, NodeUnavailable } from '@dct/chain-clients'
import type { Hex } from 'viem'
import { type Clock, realClock } from '../../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Loop } from '../../../platform/loops/loop.ts'
import { isHalted } from '../../chain/index.ts'
import { finishPayout, type OnPayoutFinal } from '../finish-payout.ts'
import { lockIntent } from '../intents.queries.ts'
import { assignTransfer } from './assign-transfer.ts'
import { checkManualPayment, type FinalTransaction } from './check-manual-payment.ts'
import {
  findPayout,
  handOver,
  isOwnTransaction,
  type NamedPayment,
  openNamed,
  type PayoutRecord,
  recordCheck,
  saveNamed,
} from './manual-payments.queries.ts'

export type ManualPaymentDeps = {
  db: Db
  clock: Clock
  /** Reader for BSC. */
  reader: Pick<ChainReader, 'receipt' | 'transaction'>
  usdt: Hex
  /** 20 bytes as hex, including former wallets. Payments from these are booked on the payout wallet's account. */
  payoutWallets: readonly Hex[]
  /**
   * Wallets that admins pay from. Only payments from these can be found again after a restore, so if any are
   * configured, payments from other wallets (except the payout wallets) are refused.
   */
  adminWallets: readonly Hex[]
  onFinal: OnPayoutFinal
}

const HASH = /^0x[0-9a-fA-F]{64}$/
const CHECKED_AT_ONCE = 20
/** A transaction that is still unknown after this time has a wrong hash, or was never sent. */
const UNKNOWN_AFTER_MS = 10 * 60_000

/**
 * Accepts the hash of the transaction with which an admin paid a payout. A final transaction is verified and booked
 * immediately; any other is checked again until it is final. Safe to repeat.
 * @returns whether the payout is paid
 * @throws Refusal `PAYMENT_HASH_INVALID`, `PAYOUT_NOT_FOUND`, `PAYOUT_NOT_MANUAL`, `PAYOUT_ENDED`, or the reason why
 * the transaction is not the payment
 */
export async function submitManualPayment(
  deps: ManualPaymentDeps,
  input: { payoutId: bigint; txHash: string; adminId: bigint },
  alsoInTransaction: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  const { payoutId, adminId } = input
  if (!HASH.test(input.txHash.trim())) throw new Refusal('PAYMENT_HASH_INVALID')
  const txHash = input.txHash.trim().toLowerCase() as Hex
  const payout = await findPayout(deps.db, payoutId)
  if (payout === undefined) throw new Refusal('PAYOUT_NOT_FOUND')
  if (isPaidBy(payout, txHash)) return true
  requireOpen(payout)
  const seen = await readNamed(deps, txHash)
  return inTransaction(deps.db, async (tx) => {
    await alsoInTransaction(tx)
    await saveNamed(tx, { payoutId, txHash, adminId, at: realClock.now() })
    if (typeof seen === 'string') {
      if (await isOwnTransaction(tx, txHash)) throw new Refusal('MANUAL_PAYMENT_USED')
      return false
    }
    await settle(deps, tx, { payoutId, txHash, seen })
    return true
  })
}

/**
 * Checks named transactions that were not final yet. In manual mode it also hands all queued USDT payouts over to the
 * admins.
 */
export function createManualPaymentLoop(
  deps: ManualPaymentDeps & { isManual: boolean; recheckMs: number },
): Loop {
  return {
    name: 'manual payments',
    async step() {
      const left = deps.isManual ? await handOver(deps.db, deps.clock.now()) : 0
      const at = realClock.now()
      const before = new Date(at.getTime() - deps.recheckMs)
      const named = await openNamed(deps.db, { before, limit: CHECKED_AT_ONCE })
      for (const one of named) await recheck(deps, one, at)
      return left === 0 && named.length < CHECKED_AT_ONCE
    },
  }
}

async function recheck(deps: ManualPaymentDeps, named: NamedPayment, at: Date): Promise<void> {
  const { payoutId, txHash } = named
  const seen = await readNamed(deps, txHash)
  try {
    if (typeof seen !== 'string') {
      await inTransaction(deps.db, (tx) => settle(deps, tx, { payoutId, txHash, seen }))
      return
    }
    const isGivenUp =
      seen === 'unknown' && at.getTime() - named.namedAt.getTime() > UNKNOWN_AFTER_MS
    const problem = isGivenUp ? ERRORS.PAYMENT_NOT_FOUND.message : null
    await recordCheck(deps.db, { payoutId, txHash, at, problem })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await recordCheck(deps.db, { payoutId, txHash, at, problem: error.message })
  }
}

/**
 * Reads a named transaction. `waits` means that it is checked again later: it is not final, nodes do not answer, or the
 * chain is halted.
 */
async function readNamed(
  { db, reader }: ManualPaymentDeps,
  txHash: Hex,
): Promise<FinalTransaction | 'unknown' | 'waits'> {
  if (await isHalted(db, 'BSC')) return 'waits'
  try {
    const receipt = await reader.receipt(txHash)
    if (receipt.kind === 'final') return { ...receipt, hasSucceeded: receipt.failure === null }
    return (await reader.transaction(txHash)) === null ? 'unknown' : 'waits'
  } catch (error) {
    if (error instanceof NodeUnavailable) return 'waits'
    throw error
  }
}

/** Books a payout as paid by one transfer of a final transaction. Each transfer pays one payout. */
async function settle(
  deps: ManualPaymentDeps,
  tx: Tx,
  { payoutId, txHash, seen }: { payoutId: bigint; txHash: Hex; seen: FinalTransaction },
): Promise<void> {
  await lockIntent(tx, { table: 'payout', id: payoutId })
  const payout = await findPayout(tx, payoutId)
  if (payout === undefined) throw new Refusal('PAYOUT_NOT_FOUND')
  if (isPaidBy(payout, txHash)) return
  requireOpen(payout)
  const { usdt, payoutWallets } = deps
  const { to, amount, createdAt: since } = payout
  const check = checkManualPayment(seen, { usdt, to, amount, since })
  if (check.kind === 'wrong') throw new Refusal(check.code, {}, check.message)
  if (await isOwnTransaction(tx, txHash)) throw new Refusal('MANUAL_PAYMENT_USED')
  const { blockNumber, blockTime } = seen
  const place = { txHash, blockNumber, blockTime }
  const known = check.transfers.filter(({ from }) => isKnownWallet(deps, from))
  if (known.length === 0) throw new Refusal('MANUAL_PAYMENT_OTHER_WALLET')
  const paidBy = await assignTransfer(tx, { ...place, to, amount }, known)
  if (paidBy === undefined) throw new Refusal('MANUAL_PAYMENT_USED')
  const evidence = { ...place, isFromOwner: !payoutWallets.includes(paidBy.from) }
  await finishPayout(tx, deps.onFinal, { payoutId, evidence, at: deps.clock.now() })
}

function isKnownWallet({ payoutWallets, adminWallets }: ManualPaymentDeps, from: Hex): boolean {
  return adminWallets.length === 0 || [...adminWallets, ...payoutWallets].includes(from)
}

function isPaidBy(payout: PayoutRecord, txHash: Hex): boolean {
  return payout.state === 'final' && payout.finalTx === txHash
}

function requireOpen({ state, isManual }: PayoutRecord): void {
  if (state === 'final' || state === 'returned') throw new Refusal('PAYOUT_ENDED', { state })
  if (!isManual) throw new Refusal('PAYOUT_NOT_MANUAL')
}
