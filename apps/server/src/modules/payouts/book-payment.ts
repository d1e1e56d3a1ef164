import { greater, lesser } from '@dct/chain-clients/bigints'
import type { Hex } from 'viem'
import { clearAlarm, raiseAlarm } from '../../platform/alarms/alarms.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'
import { hexOf } from '../chain/index.ts'
import { type Account, account, postTransfers, unusedRef } from '../ledger/index.ts'
import {
  type AccountKey,
  advanceOf,
  findAccount,
  lockAccount,
  moveAccount,
  type PayoutAccount,
} from './accounts.queries.ts'
import { createPayout, getPayout, openPayouts } from './create-payout.ts'
import { endPaid, type OnPayoutFinal, type PaymentEvidence } from './finish-payout.ts'
import { insertPayment } from './payments.queries.ts'
import { own } from './payouts.tables.ts'

/** A payment to an account, as an event of a final block states it. Base units. */
export type Payment = PaymentEvidence & {
  logIndex: number
  account: AccountKey
  /** The contract that paid. */
  from: Hex
  to: Hex
  amount: bigint
  /** What the account was paid so far, with this payment. */
  total: bigint
}

/** What an advance is charged to: something that the holder of the account is owed otherwise. */
export type Charge = { cause: string; amount: bigint; debit: Account }

export type BookDeps = {
  clock: Clock
  onFinal: OnPayoutFinal
  /**
   * Charges at most this amount, in base units, to what the account's holder is owed; undefined if nothing can be
   * charged. Called before the account is locked. Wired in main/, because this module does not know what is owed.
   */
  charge(tx: Tx, advance: { account: AccountKey; most: bigint }): Promise<Charge | undefined>
}

/**
 * Books a payment that a chain made to an account, whoever signed it: its payouts become final, oldest first, as far as
 * the total covers them. What is left over stays as the account's advance: `chargeAdvance` charges it, and otherwise it
 * reduces the next payment. The total counts, so that the order in which events are read does not matter, and a payment
 * that was undone and made again is booked once. Safe to repeat.
 */
export async function bookPayment(deps: BookDeps, tx: Tx, payment: Payment): Promise<void> {
  const at = deps.clock.now()
  const found = await lockAccount(tx, payment.account)
  if (!(await insertPayment(tx, { ...payment, accountId: found.id }))) return
  const added = greater(payment.total - found.paid, 0n)
  // Positive: events before this one are missing. Negative: this one was.
  const unread = greater(added - payment.amount, 0n) - missedBy(found, payment)
  const booked = { ...found, paid: found.paid + added, unread: found.unread + unread }
  await moveAccount(tx, found.id, { paid: added, unread })
  await alarmMissing(tx, booked, at)
  if (added > 0n) {
    const kind = 'payment.booked'
    const ref = `${found.chain}:${payment.txHash}:${payment.logIndex}`
    await postTransfers(tx, [
      {
        debit: account.advance(found.id),
        credit: sourceOf(found),
        asset: assetOf(found),
        amount: added,
        kind,
        ref: await unusedRef(tx, kind, ref),
        at,
      },
    ])
  }
  await settleAccount(deps, tx, { account: booked, evidence: payment, at })
}

function missedBy({ paid, unread }: PayoutAccount, { total, amount }: Payment): bigint {
  return total <= paid ? lesser(unread, amount) : 0n
}

export async function alarmMissing(
  tx: Tx,
  { id, chain, name, holder, unread }: PayoutAccount,
  at: Date,
) {
  const alarm = { kind: 'payment.missing', subject: `${chain}:${id}`, at } as const
  if (unread === 0n) return clearAlarm(tx, alarm)
  await raiseAlarm(tx, {
    ...alarm,
    message: `The chain (${chain}) states that ${holder} (${name}) was paid ${unread} base units more than the events that were read. Nothing is signed for this account until they are.`,
  })
}

/** Ends the payouts of a locked account that what it was paid covers, oldest first. */
async function settleAccount(
  deps: BookDeps,
  tx: Tx,
  settled: { account: PayoutAccount; evidence: PaymentEvidence; at: Date },
): Promise<void> {
  const { account: owner, evidence, at } = settled
  let ahead = advanceOf(owner)
  for (const payout of ahead > 0n && owner.open > 0n ? await openPayouts(tx, owner.id) : []) {
    if (payout.amount > ahead) break
    ahead -= payout.amount
    await endPaid(tx, deps.onFinal, { payout, evidence, credit: account.advance(owner.id), at })
  }
}

/** Ends the payouts of an account that an earlier payment covers. @returns whether it covers the oldest one */
export async function settleCovered(deps: BookDeps, tx: Tx, key: AccountKey): Promise<boolean> {
  const owner = await lockAccount(tx, key)
  const [oldest] = await openPayouts(tx, owner.id)
  if (oldest === undefined || oldest.amount > advanceOf(owner)) return false
  const evidence = await lastPayment(tx, owner.id)
  await settleAccount(deps, tx, { account: owner, evidence, at: deps.clock.now() })
  return true
}

/**
 * Charges an account's advance to what its holder is owed but has not asked for yet: a payout of that amount is final at
 * once, by the last payment. Nothing is charged while a payout is open, because that comes first.
 * @returns whether anything was charged
 */
export async function chargeAdvance(deps: BookDeps, tx: Tx, key: AccountKey): Promise<boolean> {
  const seen = await findAccount(tx, key)
  if (seen === undefined || seen.open > 0n || advanceOf(seen) <= 0n) return false
  const charge = await deps.charge(tx, { account: key, most: advanceOf(seen) })
  if (charge === undefined) return false
  const at = deps.clock.now()
  const { cause, amount, debit } = charge
  const evidence = await lastPayment(tx, seen.id)
  const to = key.chain === 'TRON' ? {} : { to: await lastReceiver(tx, seen.id) }
  const payoutId = await createPayout(tx, { account: key, cause, ...to, amount, at })
  const payout = await getPayout(tx, payoutId)
  await postTransfers(tx, [
    {
      debit,
      credit: account.payout(payoutId),
      asset: payout.asset,
      amount,
      kind: 'payment.charged',
      ref: cause,
      at,
    },
  ])
  await endPaid(tx, deps.onFinal, { payout, evidence, credit: account.advance(seen.id), at })
  return true
}

async function lastPayment(tx: Tx, accountId: bigint): Promise<PaymentEvidence> {
  const row = await paymentsOf(tx, accountId)
    .select(['tx_hash', 'block_number', 'block_time'])
    .executeTakeFirst()
  invariant(row !== undefined, `payout account ${accountId} was never paid`)
  return {
    txHash: hexOf(row.tx_hash),
    blockNumber: row.block_number,
    blockTime: row.block_time,
  }
}

async function lastReceiver(tx: Tx, accountId: bigint): Promise<Buffer> {
  const row = await paymentsOf(tx, accountId).select('to_address').executeTakeFirstOrThrow()
  return row.to_address
}

function paymentsOf(tx: Tx, accountId: bigint) {
  return own(tx)
    .selectFrom('chain_payment')
    .where('account_id', '=', accountId)
    .orderBy('block_number', 'desc')
    .orderBy('total', 'desc')
    .limit(1)
}

export function sourceOf({ chain, name }: AccountKey): Account {
  return chain === 'TRON' ? account.chainPool(name) : account.payoutWallet
}

export function assetOf({ chain }: AccountKey): 'DCT' | 'USDT' {
  return chain === 'TRON' ? 'DCT' : 'USDT'
}
