import { amount } from '@dct/money'
import type { Tx } from '../../platform/database/db.ts'
import { InvariantViolation } from '../../platform/errors.ts'
import { bytesOf, type ChainEvent, hexOf } from '../chain/index.ts'
import { account, postTransfers } from '../ledger/index.ts'
import { messageHolders } from '../messages/index.ts'
import { payExactly, wakePagesOf } from './claims.queries.ts'
import { own, type ReceiptState } from './claims.tables.ts'
import { nearestClaim } from './payments.queries.ts'
import { deadlineOf, type SettleDeps, settlePaid } from './settle-fee.ts'

export type UsdtDeps = SettleDeps & {
  /** All current and former fee receiver addresses, as hex. */
  feeReceivers: readonly string[]
  /** The vault that referral payouts leave from, as hex. */
  vaults: readonly string[]
}

/** A cent. Anyone can send less to any address, and no person has to look at it: returning it would cost more. */
const LEAST_TO_RETURN = 10n ** 16n

/**
 * Handles a final Transfer event of the configured USDT contract to or from a fee receiver. The exact amount identifies
 * the fee; a payment that settles nothing is recorded for the admins. Each log counts once.
 */
export async function onUsdtTransfer(deps: UsdtDeps, tx: Tx, event: ChainEvent): Promise<void> {
  const { from = '', to = '', value = '0' } = event.args
  const received = amount('USDT', BigInt(value))
  if (received === 0n || from === to) return
  const isFromUs = deps.vaults.includes(from) || deps.feeReceivers.includes(from)
  if (!deps.feeReceivers.includes(to)) {
    if (deps.feeReceivers.includes(from) && !deps.vaults.includes(to))
      await bookWithdrawal(tx, event)
    return
  }
  if (!isFromUs && (await settleExactly(deps, tx, event))) return
  const state = isFromUs ? 'internal' : received < LEAST_TO_RETURN ? 'dust' : 'unmatched'
  const nearestClaimId = state === 'unmatched' ? await findNearest(tx, event, received) : undefined
  const isNew = await insertReceipt(tx, event, { state, nearestClaimId: nearestClaimId ?? null })
  if (!isNew) return
  await bookReceipt(tx, event, { state, from: hex(from), deps })
  if (nearestClaimId !== undefined) {
    await wakePagesOf(tx, nearestClaimId)
    await messageUnused(tx, event, nearestClaimId)
  }
}

/**
 * Writes to a holder about a payment that settled nothing: of a wrong amount, for a fee that is paid already, or for one
 * that can no longer be paid. Of wrong amounts once for each claim, since anybody can send such amounts to anybody's fee.
 */
async function messageUnused(tx: Tx, event: ChainEvent, claimId: bigint): Promise<void> {
  const claim = await own(tx)
    .selectFrom('claim')
    .select(['user_id', 'plan_code', 'code_claim', 'state', 'exact_amount'])
    .where('id', '=', claimId)
    .executeTakeFirstOrThrow()
  const units = BigInt(event.args.value ?? 0)
  const isWrong = claim.state === 'awaiting_fee' && units !== claim.exact_amount
  const variant = isWrong ? 'Wrong' : claim.state === 'paid' ? 'Again' : 'Closed'
  const facts = {
    ...({ plan_code: claim.plan_code, claim_code: claim.code_claim, variant } as const),
    amount: { asset: 'USDT' as const, units },
    expected: { asset: 'USDT' as const, units: claim.exact_amount },
  }
  // An admin may attach the payment to another fee, which is told under its reference alone.
  const key = isWrong ? `${claim.code_claim}:wrong` : `${refOf(event)}:unused`
  await messageHolders(tx, [
    { userId: claim.user_id, kind: 'fee_seen', key, facts, at: event.blockTime },
  ])
}

/**
 * Settles the fee that awaits exactly this payment.
 * @returns false if there is none, or if the payment is already recorded
 */
async function settleExactly(deps: UsdtDeps, tx: Tx, event: ChainEvent): Promise<boolean> {
  const { from = '', to = '', value = '0' } = event.args
  const receipt = {
    txHash: event.txHash,
    logIndex: event.logIndex,
    amount: amount('USDT', BigInt(value)),
    blockTime: event.blockTime,
  }
  const claim = await payExactly(tx, {
    ...receipt,
    from: bytesOf(hex(from)),
    receiver: bytesOf(hex(to)),
    blockNumber: event.blockNumber,
    deadline: deadlineOf(receipt),
  })
  if (claim === undefined) return false
  await settlePaid(deps, tx, { claim, receipt, source: 'feeReceiver' })
  return true
}

function findNearest(tx: Tx, event: ChainEvent, received: bigint): Promise<bigint | undefined> {
  const receiver = bytesOf(hex(event.args.to ?? ''))
  return nearestClaim(tx, { txHash: event.txHash, receiver, amount: received })
}

/** Records a payment that settles nothing. @returns false if the log is already recorded */
async function insertReceipt(
  tx: Tx,
  event: ChainEvent,
  outcome: { state: ReceiptState; nearestClaimId: bigint | null },
): Promise<boolean> {
  const inserted = await own(tx)
    .insertInto('usdt_receipt')
    .values({
      tx_hash: event.txHash,
      log_index: event.logIndex,
      from_address: bytesOf(hex(event.args.from ?? '')),
      to_address: bytesOf(hex(event.args.to ?? '')),
      amount: BigInt(event.args.value ?? 0),
      block_number: event.blockNumber,
      block_time: event.blockTime,
      state: outcome.state,
      claim_id: null,
      nearest_claim_id: outcome.nearestClaimId,
      note: null,
      handled_by: null,
      handled_at: null,
      return_tx: null,
      return_log_index: null,
    })
    .onConflict((conflict) => conflict.columns(['tx_hash', 'log_index']).doNothing())
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Where a payment that settles nothing is credited: dust is a gift to the owner. */
const CREDITED = {
  internal: { credit: account.payoutWallet, kind: 'receipt.internal' },
  dust: { credit: account.owner, kind: 'receipt.dust' },
  unmatched: { credit: account.suspense, kind: 'receipt.unmatched' },
} as const

async function bookReceipt(
  tx: Tx,
  event: ChainEvent,
  { state, from, deps }: { state: keyof typeof CREDITED; from: string; deps: UsdtDeps },
): Promise<void> {
  // A transfer between two fee receivers: both belong to one account, so nothing moves.
  if (state === 'internal' && !deps.vaults.includes(from)) return
  await postTransfers(tx, [
    {
      debit: account.feeReceiver,
      ...CREDITED[state],
      asset: 'USDT',
      amount: BigInt(event.args.value ?? 0),
      ref: refOf(event),
      at: event.blockTime,
    },
  ])
}

/** Books a withdrawal from a fee receiver by its owner. */
async function bookWithdrawal(tx: Tx, event: ChainEvent): Promise<void> {
  await postTransfers(tx, [
    {
      debit: account.owner,
      credit: account.feeReceiver,
      asset: 'USDT',
      amount: BigInt(event.args.value ?? 0),
      kind: 'fee_receiver.withdrawn',
      ref: refOf(event),
      at: event.blockTime,
    },
  ])
}

function refOf(event: ChainEvent): string {
  return `${hexOf(event.txHash)}:${event.logIndex}`
}

function hex(text: string): `0x${string}` {
  if (!/^0x[0-9a-f]{40}$/.test(text))
    throw new InvariantViolation('a Transfer event without a valid address')
  return text as `0x${string}`
}
