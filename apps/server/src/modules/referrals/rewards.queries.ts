import type { ReferralKind, ReferralShare, Upline } from '@dct/rules/referral-shares'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import type { ReferralFeeTable } from './referrals.tables.ts'
import './referrals.tables.ts'

export type PayerLine = { address: Buffer; referrerId: bigint | undefined; line: Upline[] }

/** Who stands above a payer: the referrer, and those whose percentage is above all below them. */
export async function lineAbove(db: DbOrTx, payerId: bigint): Promise<PayerLine | undefined> {
  const payer = await db
    .selectFrom('app_user')
    .select(['address', 'referrer_id'])
    .where('id', '=', payerId)
    .executeTakeFirst()
  if (payer === undefined) return undefined
  if (payer.referrer_id === null) return { address: payer.address, referrerId: undefined, line: [] }
  const { rows } = await sql<{ user_id: bigint; level: number; rate_bps: number }>`
    select user_id, level, rate_bps from referral_line(${payerId})`.execute(db)
  const line = rows.map((row) => ({
    userId: row.user_id,
    level: row.level,
    rateBps: BigInt(row.rate_bps),
  }))
  return { address: payer.address, referrerId: payer.referrer_id, line }
}

/** Records a fee. False when it was recorded before; whoever does it at the same time waits. */
export async function insertFee(tx: Tx, fee: ReferralFeeTable): Promise<boolean> {
  const made = await tx
    .insertInto('referral_fee')
    .values(fee)
    .onConflict((conflict) => conflict.column('fee_id').doNothing())
    .executeTakeFirst()
  return (made.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/**
 * Adds to what receivers earned. Their rows stay locked until commit, which gives the rewards of one
 * receiver their numbers in the order of their commits. Always locked in one order.
 */
export async function addEarned(tx: Tx, shares: readonly ReferralShare[]) {
  const sorted = [...shares].sort((a, b) => compare(a.receiverId, b.receiverId) || order(a, b))
  return tx
    .insertInto('referral_balance')
    .values(
      sorted.map((share) => ({
        user_id: share.receiverId,
        kind: share.kind,
        row_count: 1n,
        earned: share.amount,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'kind']).doUpdateSet({
        row_count: sql<bigint>`referral_balance.row_count + 1`,
        earned: sql<bigint>`referral_balance.earned + excluded.earned`,
      }),
    )
    .returning(['user_id', 'kind', 'row_count', 'earned'])
    .execute()
}

const compare = (a: bigint, b: bigint) => (a < b ? -1 : a > b ? 1 : 0)
const order = (a: { kind: string }, b: { kind: string }) => (a.kind < b.kind ? -1 : 1)

export type NewReward = ReferralShare & { rowNumber: bigint; running: bigint }

export async function insertRewards(
  tx: Tx,
  fee: { feeId: bigint; fromAddress: Buffer; planCode: string; at: Date },
  rewards: readonly NewReward[],
): Promise<void> {
  await tx
    .insertInto('referral_reward')
    .values(
      rewards.map((reward) => ({
        fee_id: fee.feeId,
        receiver_id: reward.receiverId,
        kind: reward.kind,
        row_number: reward.rowNumber,
        level: reward.level,
        rate_bps: Number(reward.rateBps),
        amount: reward.amount,
        running: reward.running,
        from_address: fee.fromAddress,
        plan_code: fee.planCode,
        created_at: fee.at,
      })),
    )
    .execute()
}

export type Balance = {
  kind: ReferralKind
  rowCount: bigint
  earned: bigint
  claimedRows: bigint
  claimed: bigint
}
export type OwnedBalance = Balance & { userId: bigint }

/** What users earned and claimed, by kind. Who never had a reward of a kind is left out. */
export async function readBalances(
  db: DbOrTx,
  userIds: readonly bigint[],
): Promise<OwnedBalance[]> {
  if (userIds.length === 0) return []
  return db
    .selectFrom('referral_balance')
    .select(['user_id as userId', 'kind', 'row_count as rowCount', 'earned'])
    .select(['claimed_rows as claimedRows', 'claimed'])
    .where('user_id', 'in', [...userIds])
    .execute()
}

/** What a user earned and claimed of one kind; nothing when there never was a reward. */
export async function readBalance(
  db: DbOrTx,
  owner: { userId: bigint; kind: ReferralKind },
): Promise<Balance> {
  const found = (await readBalances(db, [owner.userId])).find(({ kind }) => kind === owner.kind)
  return found ?? { kind: owner.kind, rowCount: 0n, earned: 0n, claimedRows: 0n, claimed: 0n }
}

/** Keeps a user's claims of one kind, and rewards that arrive, in a row until commit. */
export async function lockBalance(
  tx: Tx,
  owner: { userId: bigint; kind: ReferralKind },
): Promise<void> {
  await tx
    .selectFrom('referral_balance')
    .select('kind')
    .where('user_id', '=', owner.userId)
    .where('kind', '=', owner.kind)
    .forUpdate()
    .execute()
}

/** What was earned up to a reward's number. */
export async function earnedThrough(
  db: DbOrTx,
  place: { userId: bigint; kind: ReferralKind; rowNumber: bigint },
): Promise<bigint> {
  if (place.rowNumber === 0n) return 0n
  const row = await db
    .selectFrom('referral_reward')
    .select('running')
    .where('receiver_id', '=', place.userId)
    .where('kind', '=', place.kind)
    .where('row_number', '=', place.rowNumber)
    .executeTakeFirstOrThrow()
  return row.running
}

/** Moves what was claimed of a balance: forward with a claim, back when one ends without payment. */
export async function moveClaimed(
  tx: Tx,
  move: { userId: bigint; kind: ReferralKind; by: bigint; claimedRows?: bigint },
): Promise<void> {
  await tx
    .updateTable('referral_balance')
    .set({
      claimed: sql<bigint>`claimed + ${move.by}`,
      ...(move.claimedRows === undefined ? {} : { claimed_rows: move.claimedRows }),
    })
    .where('user_id', '=', move.userId)
    .where('kind', '=', move.kind)
    .execute()
}
