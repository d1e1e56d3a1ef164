import { cleanText } from '@dct/rules/clean-text'
import { type RawBuilder, sql } from 'kysely'
import type { Hex } from 'viem'
import { DAY_MS } from '../../platform/clock.ts'
import type { Db, DbOrTx, Tx } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'
import { bytesOf, hexOf } from '../chain/index.ts'
import { type Chain, own, type PayoutState } from './payouts.tables.ts'

/** Something that needs a transaction from the service: a payment, or another call by the operator. */
export type IntentRef = { table: 'payout' | 'operator_call'; id: bigint }

/** Both tables have the columns used here; the cast picks one of them for the compiler. */
const tableOf = (ref: IntentRef) => ref.table as 'payout'
const columnOf = (ref: IntentRef) => (ref.table === 'payout' ? 'payout_id' : 'call_id')

/** The wait reason of an intent that somebody has to look at before it goes on. */
export const HELD = 'HELD'

export type LockedIntent = {
  state: PayoutState
  isHeld: boolean
  failures: number
  waitReason: string | null
  finalTx: Hex | null
}

/** Reads the intent and locks it until the transaction ends. */
export async function lockIntent(tx: Tx, ref: IntentRef): Promise<LockedIntent> {
  const row = await own(tx)
    .selectFrom(tableOf(ref))
    .select(['state', 'failures', 'wait_reason', 'final_tx'])
    .where('id', '=', ref.id)
    .forUpdate()
    .executeTakeFirst()
  invariant(row !== undefined, `${ref.table} ${ref.id} does not exist`)
  return {
    state: row.state,
    isHeld: row.wait_reason === HELD,
    failures: row.failures,
    waitReason: row.wait_reason,
    finalTx: row.final_tx === null ? null : hexOf(row.final_tx),
  }
}

/** Stores why an intent has to wait. @returns since when it waits for that reason; undefined when the reason is new */
export async function recordWaiting(
  db: Db | Tx,
  ref: IntentRef,
  wait: { reason: string; detail: string; at: Date; retryAt: Date },
): Promise<Date | undefined> {
  const values = { wait_detail: cleanText(wait.detail, 500), retry_at: wait.retryAt }
  const changed = await own(db)
    .updateTable(tableOf(ref))
    .set({ ...values, wait_reason: wait.reason, waiting_since: wait.at })
    .where('id', '=', ref.id)
    .where('state', '=', 'waiting')
    .where('wait_reason', 'is distinct from', HELD)
    .where('wait_reason', 'is distinct from', wait.reason)
    .executeTakeFirst()
  if (changed.numUpdatedRows > 0n) return undefined
  const kept = await own(db)
    .updateTable(tableOf(ref))
    .set(values)
    .where('id', '=', ref.id)
    .where('state', '=', 'waiting')
    .where('wait_reason', 'is distinct from', HELD)
    .returning('waiting_since')
    .executeTakeFirst()
  return kept?.waiting_since ?? wait.at
}

/** Condition: an intent is to be tried again. A retry much later was put off while a clock was wrong, and is due. */
export function isRetryDue(now: Date): RawBuilder<boolean> {
  const latest = new Date(now.getTime() + DAY_MS)
  return sql<boolean>`(retry_at is null or retry_at <= ${now} or retry_at > ${latest})`
}

const NOT_WAITING = { wait_reason: null, wait_detail: null, waiting_since: null, retry_at: null }

/** Moves an intent to another state and clears its wait. Held means: it waits until somebody retries it. */
export async function moveIntent(
  tx: Tx,
  ref: IntentRef,
  to: 'waiting' | 'sent' | 'returned' | { held: string; at: Date },
): Promise<void> {
  const values =
    typeof to === 'string'
      ? { ...NOT_WAITING, state: to }
      : {
          ...NOT_WAITING,
          state: 'waiting' as const,
          wait_reason: HELD,
          wait_detail: cleanText(to.held, 500),
          waiting_since: to.at,
        }
  await own(tx).updateTable(tableOf(ref)).set(values).where('id', '=', ref.id).execute()
}

export async function setFailures(tx: Tx, ref: IntentRef, failures: number): Promise<void> {
  await own(tx).updateTable(tableOf(ref)).set({ failures }).where('id', '=', ref.id).execute()
}

/**
 * Opens a final intent again whose blocks were undone. The transaction that ended it is undecided again, so that the same
 * bytes are sent until they are in a block or never can be; without one, the intent waits.
 */
export async function reopenIntent(tx: Tx, ref: IntentRef): Promise<void> {
  const revived = await own(tx)
    .updateTable('send_attempt')
    .set({ state: 'pending', ended_at: null, fee: null })
    .where(columnOf(ref), '=', ref.id)
    .where('state', '=', 'confirmed')
    .executeTakeFirst()
  const state = revived.numUpdatedRows > 0n ? 'sent' : 'waiting'
  await own(tx)
    .updateTable(tableOf(ref))
    .set({ ...NOT_WAITING, state, final_tx: null, final_block: null, final_at: null })
    .where('id', '=', ref.id)
    .execute()
}

export type FinalFacts = { txHash: Hex | null; blockNumber: bigint | null; at: Date }

export async function markFinal(tx: Tx, ref: IntentRef, facts: FinalFacts): Promise<void> {
  await own(tx)
    .updateTable(tableOf(ref))
    .set({
      ...NOT_WAITING,
      state: 'final',
      final_tx: facts.txHash === null ? null : bytesOf(facts.txHash),
      final_block: facts.blockNumber,
      final_at: facts.at,
    })
    .where('id', '=', ref.id)
    .execute()
}

/** What a payment's transaction states: it counts only if exactly `paidBefore` was paid, and adds `amount`. */
export type Statement = { paidBefore: bigint; amount: bigint }

export type Attempt = {
  id: bigint
  chain: Chain
  /** The address whose key signed it. Transactions of former keys can still be mined. */
  sender: Hex
  intent: IntentRef
  /** What its payment states; null for other calls. */
  states: Statement | null
  hash: Hex
  raw: Uint8Array
  nonce: number | null
  gasPrice: bigint | null
  expiresAt: Date | null
  signedAt: Date
}

/**
 * Signed transactions that are undecided, oldest first: by all keys ever used, unless `sender` is given. Not limited,
 * because a sender never signs more than it may have in flight, and a nonce is decided with all its variants.
 */
export async function liveAttempts(
  db: DbOrTx,
  query: { chain: Chain; sender?: Hex; nonce?: number; payoutId?: bigint },
): Promise<Attempt[]> {
  const { sender, nonce, payoutId } = query
  const rows = await own(db)
    .selectFrom('send_attempt')
    .select(['id', 'sender', 'payout_id', 'call_id', 'tx_hash', 'raw', 'nonce', 'gas_price'])
    .select(['expires_at', 'signed_at', 'paid_before', 'amount'])
    .where('chain', '=', query.chain)
    .where('state', '=', 'pending')
    .$if(sender !== undefined, (rest) => rest.where('sender', '=', bytesOf(sender ?? '0x')))
    .$if(nonce !== undefined, (rest) => rest.where('nonce', '=', BigInt(nonce ?? 0)))
    .$if(payoutId !== undefined, (rest) => rest.where('payout_id', '=', payoutId ?? 0n))
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    chain: query.chain,
    sender: hexOf(row.sender),
    intent: intentOf(row),
    states:
      row.paid_before === null ? null : { paidBefore: row.paid_before, amount: row.amount ?? 0n },
    hash: hexOf(row.tx_hash),
    raw: row.raw,
    nonce: row.nonce === null ? null : Number(row.nonce),
    gasPrice: row.gas_price,
    expiresAt: row.expires_at,
    signedAt: row.signed_at,
  }))
}

function intentOf(row: { payout_id: bigint | null; call_id: bigint | null }): IntentRef {
  return row.payout_id === null
    ? { table: 'operator_call', id: row.call_id ?? 0n }
    : { table: 'payout', id: row.payout_id }
}

export async function countLive(db: DbOrTx, chain: Chain, sender: Hex): Promise<number> {
  const row = await own(db)
    .selectFrom('send_attempt')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('chain', '=', chain)
    .where('sender', '=', bytesOf(sender))
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The number of the intent's next attempt. Requires the intent's lock. */
export async function nextAttemptNumber(tx: Tx, ref: IntentRef): Promise<number> {
  const row = await own(tx)
    .selectFrom('send_attempt')
    .select((eb) => eb.fn.max('attempt').as('last'))
    .where(columnOf(ref), '=', ref.id)
    .executeTakeFirst()
  return (row?.last ?? 0) + 1
}

export type NewAttempt = {
  chain: Chain
  sender: Hex
  intent: IntentRef
  states: Statement | null
  attempt: number
  hash: Hex
  raw: Uint8Array
  nonce: number | null
  gasPrice: bigint | null
  expiresAt: Date | null
  at: Date
}

/** Stores signed bytes. Only bytes that are stored and committed may ever be sent. */
export async function insertAttempt(tx: Tx, attempt: NewAttempt): Promise<Attempt> {
  const { id } = await own(tx)
    .insertInto('send_attempt')
    .values({
      chain: attempt.chain,
      sender: bytesOf(attempt.sender),
      payout_id: attempt.intent.table === 'payout' ? attempt.intent.id : null,
      call_id: attempt.intent.table === 'operator_call' ? attempt.intent.id : null,
      attempt: attempt.attempt,
      paid_before: attempt.states?.paidBefore ?? null,
      amount: attempt.states?.amount ?? null,
      tx_hash: bytesOf(attempt.hash),
      raw: Buffer.from(attempt.raw),
      nonce: attempt.nonce === null ? null : BigInt(attempt.nonce),
      gas_price: attempt.gasPrice,
      expires_at: attempt.expiresAt,
      proof: null,
      signed_at: attempt.at,
      ended_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { chain, hash, raw, nonce, gasPrice, expiresAt, intent, states, sender, at } = attempt
  return { id, chain, sender, intent, states, hash, raw, nonce, gasPrice, expiresAt, signedAt: at }
}

/**
 * Ends pending attempts of an intent as expired: the one with the id `only`, or all of them.
 * @returns how many were ended
 */
export async function endAttempts(
  tx: Tx,
  ref: IntentRef,
  end: { proof: Record<string, unknown>; at: Date; only?: bigint },
): Promise<number> {
  const killed = await own(tx)
    .updateTable('send_attempt')
    .set({ state: 'expired', proof: end.proof, ended_at: end.at })
    .where(columnOf(ref), '=', ref.id)
    .where('state', '=', 'pending')
    .$if(end.only !== undefined, (rest) => rest.where('id', '=', end.only ?? 0n))
    .executeTakeFirst()
  return Number(killed.numUpdatedRows)
}

/** Ends the attempt with this hash as the one that took effect. False when the intent has no such pending attempt. */
export async function winAttempt(
  tx: Tx,
  ref: IntentRef,
  win: { hash: Hex; at: Date },
): Promise<boolean> {
  const won = await own(tx)
    .updateTable('send_attempt')
    .set({ state: 'confirmed', ended_at: win.at })
    .where(columnOf(ref), '=', ref.id)
    .where('tx_hash', '=', bytesOf(win.hash))
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return won.numUpdatedRows > 0n
}
