import { type Insertable, type Selectable, sql } from 'kysely'
import { type DbOrTx, isViolationOf, type Tx } from '../../platform/database/db.ts'
import { wakePages, wakingPages } from '../../platform/database/wake-pages.ts'
import { Refusal } from '../../platform/errors.ts'
import { type ClaimTable, own } from './claims.tables.ts'
import { wasReceived } from './hold-amount.ts'
import { latestClaimOf } from './latest-claim.ts'

/** The columns of a claim that its settlement needs. */
const TO_SETTLE = [
  ...(['id', 'code_claim', 'earning_id', 'stake_id', 'staker', 'user_id', 'plan_code'] as const),
  ...(['first_cycle', 'last_cycle', 'later_amount', 'fee_usdt', 'energy_fee'] as const),
] as const
export type ClaimToSettle = Pick<Selectable<ClaimTable>, (typeof TO_SETTLE)[number]>

/**
 * Inserts a claim and reserves its exact amount. `isHeld` is false if another fee has that amount, or a payment had it.
 * @throws Refusal `CLAIM_FEE_OPEN` if the fee of the earning's last claim is open
 */
export async function insertClaim(
  tx: Tx,
  claim: Insertable<ClaimTable>,
): Promise<{ id: bigint; isHeld: boolean }> {
  try {
    const row = await own(tx)
      .with('made', (db) => db.insertInto('claim').values(claim).returning('id'))
      .with('held', (db) =>
        db
          .insertInto('amount_hold')
          .columns(['receiver', 'exact_amount', 'claim_id'])
          .expression((eb) =>
            eb
              .selectFrom('made')
              .select([eb.val(claim.receiver).as('receiver')])
              .select(sql<bigint>`${claim.exact_amount}::numeric`.as('exact_amount'))
              .select('id')
              .where(({ not }) =>
                not(wasReceived(claim.receiver, sql`${claim.exact_amount}::numeric`)),
              ),
          )
          .onConflict((conflict) => conflict.constraint('amount_held_once').doNothing())
          .returning('claim_id'),
      )
      .selectFrom('made')
      .leftJoin('held', 'held.claim_id', 'made.id')
      .select(['made.id', 'held.claim_id as holder'])
      .executeTakeFirstOrThrow()
    return { id: row.id, isHeld: row.holder !== null }
  } catch (error) {
    if (isViolationOf(error, 'claim_one_open_fee')) throw new Refusal('CLAIM_FEE_OPEN')
    throw error
  }
}

/** Finds a claim by its code and locks its row until commit; undefined if it does not belong to the given user. */
export async function lockClaimByCode(tx: Tx, key: { code: string; userId?: bigint }) {
  const found = await own(tx)
    .selectFrom('claim')
    .select('id')
    .where('code_claim', '=', key.code)
    .$if(key.userId !== undefined, (rest) => rest.where('user_id', '=', key.userId ?? 0n))
    .executeTakeFirst()
  return found === undefined ? undefined : lockClaim(tx, found.id)
}

export async function lockClaim(tx: Tx, id: bigint) {
  return own(tx).selectFrom('claim').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The claim of a staker in a plan whose fee is open. */
export async function openClaimOf(db: DbOrTx, key: { staker: Buffer; planCode: string }) {
  return own(db)
    .selectFrom('claim')
    .selectAll()
    .where('staker', '=', key.staker)
    .where('plan_code', '=', key.planCode)
    .where('state', '=', 'awaiting_fee')
    .executeTakeFirst()
}

export type ExactPayment = {
  txHash: Buffer
  logIndex: number
  from: Buffer
  receiver: Buffer
  amount: bigint
  blockNumber: bigint
  blockTime: Date
  deadline: Date
}

/**
 * Records a payment and marks the fee with its exact amount as paid: awaiting_fee -> paid. A payment after the last day
 * of a fee no longer pays it, even if the claim has not been closed yet. The claim's row stays locked until commit.
 * @returns undefined if no fee awaits this payment or it is already recorded; nothing is written then
 */
export async function payExactly(
  tx: Tx,
  payment: ExactPayment,
): Promise<ClaimToSettle | undefined> {
  const { txHash, logIndex, blockNumber, blockTime } = payment
  const { rows } = await sql<ClaimToSettle>`
    with due as (
      select id from claim
      where receiver = ${payment.receiver} and exact_amount = ${payment.amount}
        and state = 'awaiting_fee' and not_before_block < ${blockNumber}
        and fee_until >= ${blockTime} and requested_at <= ${latestClaimOf(blockTime)}
      for update),
    receipt as (
      insert into usdt_receipt (tx_hash, log_index, from_address, to_address, amount, block_number,
          block_time, state, claim_id)
        select ${txHash}, ${logIndex}, ${payment.from}, ${payment.receiver}, ${payment.amount},
          ${blockNumber}, ${blockTime}, 'settled', id from due
        on conflict (tx_hash, log_index) do nothing returning claim_id)
    update claim c set ${paidBy(payment)}
      from receipt r where c.id = r.claim_id
      returning ${sql.join(TO_SETTLE.map((column) => sql.ref(`c.${column}`)))},
        ${wakingPages(sql<bigint>`c.user_id`)} as announced`.execute(tx)
  return rows[0]
}

export async function setExactAmount(
  tx: Tx,
  claim: { id: bigint; exact: bigint; code: string },
): Promise<void> {
  await own(tx)
    .updateTable('claim')
    .set({ exact_amount: claim.exact, code_claim: claim.code })
    .where('id', '=', claim.id)
    .execute()
}

export type FeePayment = Pick<ExactPayment, 'txHash' | 'logIndex' | 'blockTime' | 'deadline'>

/** What the transition awaiting_fee -> paid sets. */
const paidBy = ({ txHash, logIndex, blockTime, deadline }: FeePayment) => sql`
  state = 'paid', paid_at = ${blockTime}, deadline = ${deadline}, fee_tx = ${txHash}, fee_log_index = ${logIndex}`

/** Transition awaiting_fee -> paid. @returns false if the claim is no longer in that state */
export async function markPaid(
  tx: Tx,
  { claimId, ...payment }: FeePayment & { claimId: bigint },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update claim set ${paidBy(payment)} where id = ${claimId} and state = 'awaiting_fee'`.execute(
    tx,
  )
  return numAffectedRows === 1n
}

/** Transition awaiting_fee -> cancelled or lapsed. @returns false if the claim is no longer in that state */
export async function closeUnpaid(
  tx: Tx,
  close: { claimId: bigint; state: 'cancelled' | 'lapsed'; at: Date },
): Promise<boolean> {
  const moved = await own(tx)
    .updateTable('claim')
    .set({ state: close.state, closed_at: close.at })
    .where('id', '=', close.claimId)
    .where('state', '=', 'awaiting_fee')
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}

/** All claims of an earning, oldest first. */
export async function claimsOfEarning(
  db: DbOrTx,
  earningId: bigint,
): Promise<Selectable<ClaimTable>[]> {
  return own(db)
    .selectFrom('claim')
    .selectAll()
    .where('earning_id', '=', earningId)
    .orderBy('requested_at')
    .orderBy('id')
    .execute()
}

/** Records the final transaction of one part of a claim; null: it has none any more. */
export async function setPartTx(
  tx: Tx,
  part: { claimId: bigint; name: 'now' | 'later'; txHash: Buffer | null },
) {
  return own(tx)
    .updateTable('claim')
    .set(part.name === 'now' ? { now_tx: part.txHash } : { later_tx: part.txHash })
    .where('id', '=', part.claimId)
    .returning(['user_id', 'code_claim', 'plan_code'])
    .returning(wakingPages(sql<bigint>`user_id`).as('announced'))
    .executeTakeFirst()
}

/** The ids of at most `limit` unpaid claims whose time to pay ended before `before`. */
export async function unpaidPast(db: DbOrTx, before: Date, limit: number): Promise<bigint[]> {
  const rows = await own(db)
    .selectFrom('claim')
    .select('id')
    .where('state', '=', 'awaiting_fee')
    .where('fee_until', '<', before)
    .orderBy('fee_until')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** Frees the payment amounts of claims that were paid or closed before `before`. */
export async function releaseHolds(tx: Tx, before: Date): Promise<void> {
  await own(tx)
    .deleteFrom('amount_hold')
    .where('claim_id', 'in', (eb) =>
      eb
        .selectFrom('claim')
        .select('id')
        .where((or) => or.or([or('paid_at', '<', before), or('closed_at', '<', before)])),
    )
    .execute()
}

/** Wakes the open pages of a claim's holder. */
export async function wakePagesOf(tx: Tx, claimId: bigint): Promise<void> {
  const claims = await own(tx)
    .selectFrom('claim')
    .select('user_id')
    .where('id', '=', claimId)
    .execute()
  await wakePages(
    tx,
    claims.map((claim) => claim.user_id),
  )
}
