import { amount } from '@dct/money'
import type { Tx } from '../../platform/db.ts'
import { InvariantViolation } from '../../platform/errors.ts'
import { bytesOf, type ChainEvent, hexOf } from '../chain/index.ts'
import { account, postTransfers } from '../ledger/index.ts'
import { lockClaimToPay } from './claims.queries.ts'
import type { ReceiptState } from './claims.tables.ts'
import { nearestClaim } from './payments.queries.ts'
import { type SettleDeps, settleFee } from './settle-fee.ts'

export type UsdtDeps = SettleDeps & {
  /** 20 bytes as hex: all addresses that fees are or were paid to. */
  feeReceivers: readonly string[]
  payoutWallet: string
}

/**
 * Handles a final Transfer of the pinned USDT contract that reached or left a fee receiver. The exact
 * amount names the fee; what settles nothing is kept for the admins. Each log counts once.
 */
export async function onUsdtTransfer(deps: UsdtDeps, tx: Tx, event: ChainEvent): Promise<void> {
  const { from = '', to = '', value = '0' } = event.args
  const received = amount('USDT', BigInt(value))
  if (received === 0n || from === to) return
  const isFromUs = from === deps.payoutWallet || deps.feeReceivers.includes(from)
  if (!deps.feeReceivers.includes(to)) {
    if (deps.feeReceivers.includes(from) && to !== deps.payoutWallet)
      await bookWithdrawal(tx, event)
    return
  }
  const claim = isFromUs
    ? undefined
    : await lockClaimToPay(tx, {
        receiver: bytesOf(hex(to)),
        amount: received,
        blockNumber: event.blockNumber,
      })
  const state = isFromUs ? 'internal' : claim === undefined ? 'unmatched' : 'settled'
  const nearest = state === 'unmatched' ? await findNearest(tx, event, received) : undefined
  const claims = { claimId: claim?.id ?? null, nearestClaimId: nearest ?? null }
  const isNew = await insertReceipt(tx, event, { state, ...claims })
  if (!isNew) return
  if (claim !== undefined) {
    const receipt = {
      txHash: event.txHash,
      logIndex: event.logIndex,
      amount: received,
      blockTime: event.blockTime,
    }
    await settleFee(deps, tx, { claim, receipt, source: 'feeReceiver' })
    return
  }
  await bookReceipt(tx, event, { isFromUs, from: hex(from), deps })
}

function findNearest(tx: Tx, event: ChainEvent, received: bigint): Promise<bigint | undefined> {
  const receiver = bytesOf(hex(event.args.to ?? ''))
  return nearestClaim(tx, { txHash: event.txHash, receiver, amount: received })
}

/** A log that was recorded before has been dealt with. */
async function insertReceipt(
  tx: Tx,
  event: ChainEvent,
  outcome: { state: ReceiptState; claimId: bigint | null; nearestClaimId: bigint | null },
): Promise<boolean> {
  const inserted = await tx
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
      claim_id: outcome.claimId,
      nearest_claim_id: outcome.nearestClaimId,
      note: null,
      handled_by: null,
      handled_at: null,
    })
    .onConflict((conflict) => conflict.columns(['tx_hash', 'log_index']).doNothing())
    .executeTakeFirst()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

async function bookReceipt(
  tx: Tx,
  event: ChainEvent,
  { isFromUs, from, deps }: { isFromUs: boolean; from: string; deps: UsdtDeps },
): Promise<void> {
  // From one receiver of ours to another: both stand on one account, so nothing has moved.
  if (isFromUs && from !== deps.payoutWallet) return
  await postTransfers(tx, [
    {
      debit: account.feeReceiver,
      credit: isFromUs ? account.payoutWallet : account.suspense,
      asset: 'USDT',
      amount: BigInt(event.args.value ?? 0),
      kind: isFromUs ? 'receipt.internal' : 'receipt.unmatched',
      ref: refOf(event),
      at: event.blockTime,
    },
  ])
}

/** The owner of a receiver took something out of it. */
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
    throw new InvariantViolation('a Transfer event without addresses')
  return text as `0x${string}`
}
