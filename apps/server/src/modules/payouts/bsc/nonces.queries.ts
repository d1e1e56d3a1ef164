import type { Hex } from 'viem'
import type { Db, DbOrTx, Tx } from '../../../platform/database/db.ts'
import { bytesOf } from '../../chain/index.ts'
import { own } from '../payouts.tables.ts'

const CHAIN = 'BSC'

export type SenderState = { nextNonce: number | null; heldReason: string | null }

/** The payout wallet's nonce state. Creates its row on first use. */
export async function readSender(db: Db, sender: Hex): Promise<SenderState> {
  await own(db)
    .insertInto('sender_state')
    .values({
      chain: CHAIN,
      sender: bytesOf(sender),
      next_nonce: null,
      held_reason: null,
      held_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await own(db)
    .selectFrom('sender_state')
    .select(['next_nonce', 'held_reason'])
    .where('chain', '=', CHAIN)
    .where('sender', '=', bytesOf(sender))
    .executeTakeFirstOrThrow()
  const nextNonce = row.next_nonce === null ? null : Number(row.next_nonce)
  return { nextNonce, heldReason: row.held_reason }
}

/**
 * The next nonce of a wallet, locked until the transaction ends. Undefined while the wallet is held, or its first nonce
 * is not set.
 */
export async function lockNextNonce(tx: Tx, sender: Hex): Promise<number | undefined> {
  const row = await own(tx)
    .selectFrom('sender_state')
    .select('next_nonce')
    .where('chain', '=', CHAIN)
    .where('sender', '=', bytesOf(sender))
    .where('held_reason', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  const nonce = row?.next_nonce ?? null
  return nonce === null ? undefined : Number(nonce)
}

/**
 * Gives a payout the nonce that `lockNextNonce` returned in the same transaction. It stays with that payout until a
 * stored proof shows that it was used up without paying.
 */
export async function takeNonce(
  tx: Tx,
  sender: Hex,
  taken: { nonce: number; payoutId: bigint },
): Promise<void> {
  await own(tx)
    .insertInto('sender_nonce')
    .values({
      chain: CHAIN,
      sender: bytesOf(sender),
      nonce: BigInt(taken.nonce),
      payout_id: taken.payoutId,
      end_proof: null,
    })
    .execute()
  await setNextNonce(tx, sender, taken.nonce + 1)
}

export async function setNextNonce(db: Db | Tx, sender: Hex, nextNonce: number): Promise<void> {
  await own(db)
    .updateTable('sender_state')
    .set({ next_nonce: BigInt(nextNonce) })
    .where('chain', '=', CHAIN)
    .where('sender', '=', bytesOf(sender))
    .execute()
}

/** Sets the first nonce. Does nothing if another process has already set one. */
export async function startNonces(db: Db, sender: Hex, first: number): Promise<void> {
  await own(db)
    .updateTable('sender_state')
    .set({ next_nonce: BigInt(first) })
    .where('chain', '=', CHAIN)
    .where('sender', '=', bytesOf(sender))
    .where('next_nonce', 'is', null)
    .execute()
}

/** Releases a payout from a nonce that was used up without paying it. */
export async function expireNonce(
  tx: Tx,
  sender: Hex,
  expired: { nonce: number; proof: Record<string, unknown> },
): Promise<void> {
  await own(tx)
    .updateTable('sender_nonce')
    .set({ end_proof: expired.proof })
    .where('chain', '=', CHAIN)
    .where('sender', '=', bytesOf(sender))
    .where('nonce', '=', BigInt(expired.nonce))
    .execute()
}

/** Records a nonce that was used by a transaction this database did not sign. */
export async function recordForeignNonce(
  db: Db | Tx,
  sender: Hex,
  used: { nonce: number; proof: Record<string, unknown> },
): Promise<void> {
  await own(db)
    .insertInto('sender_nonce')
    .values({
      chain: CHAIN,
      sender: bytesOf(sender),
      nonce: BigInt(used.nonce),
      payout_id: null,
      end_proof: used.proof,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** How many nonces of a range are accounted for. */
export async function countNonces(
  db: DbOrTx,
  sender: Hex,
  range: { first: number; end: number },
): Promise<number> {
  const row = await own(db)
    .selectFrom('sender_nonce')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('chain', '=', CHAIN)
    .where('sender', '=', bytesOf(sender))
    .where('nonce', '>=', BigInt(range.first))
    .where('nonce', '<', BigInt(range.end))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Holds the sender until an admin has checked it; null releases it. True when that changed its state. */
export async function holdSender(
  db: Db | Tx,
  sender: Hex,
  held: { reason: string; at: Date } | null,
): Promise<boolean> {
  const changed = await own(db)
    .updateTable('sender_state')
    .set({ held_reason: held?.reason ?? null, held_at: held?.at ?? null })
    .where('chain', '=', CHAIN)
    .where('sender', '=', bytesOf(sender))
    .where('held_reason', held === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}
