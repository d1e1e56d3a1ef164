import type { Insertable, Selectable } from 'kysely'
import { type DbOrTx, isViolationOf, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { ClaimTable } from './claims.tables.ts'

export type ClaimRow = Awaited<ReturnType<typeof lockClaim>> & object

/**
 * Writes a claim down.
 * @throws Refusal `CLAIM_FEE_OPEN` when the earning's last fee is open
 */
export async function insertClaim(tx: Tx, claim: Insertable<ClaimTable>): Promise<bigint> {
  try {
    const row = await tx.insertInto('claim').values(claim).returning('id').executeTakeFirstOrThrow()
    return row.id
  } catch (error) {
    if (isViolationOf(error, 'claim_one_open_fee')) throw new Refusal('CLAIM_FEE_OPEN')
    throw error
  }
}

/** A claim with its row locked until commit, found by its code; undefined when it is not the user's. */
export async function lockClaimByCode(tx: Tx, key: { code: string; userId: bigint }) {
  const found = await tx
    .selectFrom('claim')
    .select('id')
    .where('code_claim', '=', key.code)
    .where('user_id', '=', key.userId)
    .executeTakeFirst()
  return found === undefined ? undefined : lockClaim(tx, found.id)
}

export async function lockClaim(tx: Tx, id: bigint) {
  return tx.selectFrom('claim').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The claim of a staker in a plan whose fee is open. */
export async function openClaimOf(db: DbOrTx, key: { staker: Buffer; planCode: string }) {
  return db
    .selectFrom('claim')
    .selectAll()
    .where('staker', '=', key.staker)
    .where('plan_code', '=', key.planCode)
    .where('state', '=', 'awaiting_fee')
    .executeTakeFirst()
}

/** The claim whose open fee this payment is for, its row locked; undefined when there is none. */
export async function lockClaimToPay(
  tx: Tx,
  payment: { receiver: Buffer; amount: bigint; blockNumber: bigint },
) {
  return tx
    .selectFrom('claim')
    .selectAll()
    .where('receiver', '=', payment.receiver)
    .where('exact_amount', '=', payment.amount)
    .where('state', '=', 'awaiting_fee')
    .where('not_before_block', '<', payment.blockNumber)
    .forUpdate()
    .executeTakeFirst()
}

export async function setExactAmount(tx: Tx, claim: { id: bigint; exact: bigint }): Promise<void> {
  await tx
    .updateTable('claim')
    .set({ exact_amount: claim.exact })
    .where('id', '=', claim.id)
    .execute()
}

export type FeePayment = {
  claimId: bigint
  txHash: Buffer
  logIndex: number
  paidAt: Date
  deadline: Date
}

/** Follows the arrow awaiting_fee -> paid. False when the claim is not there any more. */
export async function markPaid(tx: Tx, payment: FeePayment): Promise<boolean> {
  const moved = await tx
    .updateTable('claim')
    .set({
      state: 'paid',
      paid_at: payment.paidAt,
      deadline: payment.deadline,
      fee_tx: payment.txHash,
      fee_log_index: payment.logIndex,
    })
    .where('id', '=', payment.claimId)
    .where('state', '=', 'awaiting_fee')
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}

/** Follows the arrow awaiting_fee -> cancelled or lapsed. False when the claim is not there any more. */
export async function closeUnpaid(
  tx: Tx,
  close: { claimId: bigint; state: 'cancelled' | 'lapsed'; at: Date },
): Promise<boolean> {
  const moved = await tx
    .updateTable('claim')
    .set({ state: close.state, closed_at: close.at })
    .where('id', '=', close.claimId)
    .where('state', '=', 'awaiting_fee')
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}

/** All claims of a staker's earning, oldest first. */
export async function claimsOfEarning(
  db: DbOrTx,
  earningId: bigint,
): Promise<Selectable<ClaimTable>[]> {
  return db
    .selectFrom('claim')
    .selectAll()
    .where('earning_id', '=', earningId)
    .orderBy('requested_at')
    .orderBy('id')
    .execute()
}

/** Notes the final transaction of one part of a claim. */
export async function setPartTx(
  tx: Tx,
  part: { claimId: bigint; name: 'now' | 'later'; txHash: Buffer },
): Promise<void> {
  await tx
    .updateTable('claim')
    .set(part.name === 'now' ? { now_tx: part.txHash } : { later_tx: part.txHash })
    .where('id', '=', part.claimId)
    .execute()
}

/** Unpaid claims whose time to pay ended before `before`, a few at a time. */
export async function unpaidPast(db: DbOrTx, before: Date, limit: number): Promise<bigint[]> {
  const rows = await db
    .selectFrom('claim')
    .select('id')
    .where('state', '=', 'awaiting_fee')
    .where('fee_until', '<', before)
    .orderBy('fee_until')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Frees the amounts of claims that were paid or closed before `before`. */
export async function releaseHolds(tx: Tx, before: Date): Promise<void> {
  await tx
    .deleteFrom('amount_hold')
    .where('claim_id', 'in', (eb) =>
      eb
        .selectFrom('claim')
        .select('id')
        .where((or) => or.or([or('paid_at', '<', before), or('closed_at', '<', before)])),
    )
    .execute()
}
