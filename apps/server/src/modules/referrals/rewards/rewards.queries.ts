import { REFERRAL_PERCENTAGE_MAX_BPS } from '@dct/rules/constants'
import type { ReferralKind, ReferralShare, Upline } from '@dct/rules/referral-shares'
import { sql } from 'kysely'
import type { DbOrTx, ReadDb, Tx } from '../../../platform/database/db.ts'
import { turnAt } from '../../../platform/database/turns.ts'
import { own } from '../referrals.tables.ts'

export type PayerLine = { address: Buffer; referrerId: bigint | undefined; line: Upline[] }

type LineRow = {
  address: Buffer
  referrer_id: bigint | null
  user_id: bigint | null
  level: number
  rate_bps: number
}

/** A payer's referrer, and the users above whose percentage is higher than that of everyone below them. */
export async function lineAbove(db: DbOrTx, payerId: bigint): Promise<PayerLine | undefined> {
  const { rows } = await sql<LineRow>`
    select u.address, u.referrer_id, l.user_id, l.level, l.rate_bps
    from app_user_view u left join lateral referral_line(u.id, ${REFERRAL_PERCENTAGE_MAX_BPS}) l on true
    where u.id = ${payerId} order by l.level`.execute(db)
  const [payer] = rows
  if (payer === undefined) return undefined
  const line = rows.flatMap(({ user_id: userId, level, rate_bps: rateBps }) =>
    userId === null ? [] : [{ userId, level, rateBps: BigInt(rateBps) }],
  )
  return { address: payer.address, referrerId: payer.referrer_id ?? undefined, line }
}

export type NewFee = {
  feeId: bigint
  payerUserId: bigint
  fromAddress: Buffer
  feeUsdt: bigint
  planCode: string
  at: Date
}

/**
 * Records a fee and credits its shares, in one statement to keep locks short: the receivers' rows stay locked until
 * commit, always in the same order. So a receiver's rewards are numbered in commit order.
 * @returns false when the fee was already recorded; a concurrent call for the same fee waits.
 */
export async function insertRewards(
  tx: Tx,
  fee: NewFee,
  shares: readonly ReferralShare[],
): Promise<boolean> {
  const column = (read: (share: ReferralShare) => bigint | number | string) =>
    shares.map((share) => String(read(share)))
  const { rows } = await sql<{ isNew: boolean }>`
    with share as (
      select * from unnest(
        ${column((one) => one.receiverId)}::bigint[], ${column((one) => one.kind)}::text[],
        ${column((one) => one.level)}::integer[], ${column((one) => one.rateBps)}::integer[],
        ${column((one) => one.amount)}::numeric[]
      ) with ordinality as s (user_id, kind, level, rate_bps, amount, place)),
    fee as (
      insert into referral_fee (fee_id, payer_id, fee_usdt, direct, indirect)
        values (${fee.feeId}, ${fee.payerUserId}, ${fee.feeUsdt},
          ${sumOf(shares, 'direct')}, ${sumOf(shares, 'indirect')})
        on conflict (fee_id) do nothing returning fee_id),
    balance as (
      insert into referral_balance as b (user_id, kind, row_count, earned)
        select s.user_id, s.kind, 1, s.amount
        from (select share.* from fee cross join share order by share.user_id, share.kind) s
          cross join lateral ${turnAt('referralBalance', sql`(s.user_id % 2147483648)::integer`)}
        on conflict (user_id, kind) do update set
          row_count = b.row_count + 1, earned = b.earned + excluded.earned
        returning user_id, kind, row_count, earned),
    reward as (
      insert into referral_reward (fee_id, receiver_id, kind, row_number, level, rate_bps, amount,
          running, from_address, plan_code, created_at)
        select ${fee.feeId}, s.user_id, s.kind, b.row_count, s.level, s.rate_bps, s.amount,
          b.earned, ${fee.fromAddress}, ${fee.planCode}, ${fee.at}
        from balance b join share s on s.user_id = b.user_id and s.kind = b.kind order by s.place)
    select exists (select from fee) as "isNew"`.execute(tx)
  return rows[0]?.isNew ?? false
}

function sumOf(shares: readonly ReferralShare[], kind: ReferralKind): bigint {
  return shares
    .filter((share) => share.kind === kind)
    .reduce((sum, share) => sum + share.amount, 0n)
}

export type Balance = {
  kind: ReferralKind
  rowCount: bigint
  earned: bigint
  claimedRows: bigint
  claimed: bigint
}
export type OwnedBalance = Balance & { userId: bigint }

/** The earned and claimed amounts of users, by kind. Users without a reward of a kind are left out. */
export async function readBalances(
  db: ReadDb,
  userIds: readonly bigint[],
): Promise<OwnedBalance[]> {
  if (userIds.length === 0) return []
  return own(db)
    .selectFrom('referral_balance')
    .select(['user_id as userId', 'kind', 'row_count as rowCount', 'earned'])
    .select(['claimed_rows as claimedRows', 'claimed'])
    .where('user_id', 'in', [...userIds])
    .execute()
}

/** The earned and claimed amounts of a user for one kind; zeros without any reward. */
export async function readBalance(
  db: DbOrTx,
  owner: { userId: bigint; kind: ReferralKind },
): Promise<Balance> {
  const found = (await readBalances(db, [owner.userId])).find(({ kind }) => kind === owner.kind)
  return found ?? { kind: owner.kind, rowCount: 0n, earned: 0n, claimedRows: 0n, claimed: 0n }
}

/** Locks a balance until commit, which serializes the user's claims of that kind and new rewards. */
export async function lockBalance(
  tx: Tx,
  owner: { userId: bigint; kind: ReferralKind },
): Promise<void> {
  await own(tx)
    .selectFrom('referral_balance')
    .select('kind')
    .where('user_id', '=', owner.userId)
    .where('kind', '=', owner.kind)
    .forUpdate()
    .execute()
}

/** The amount earned up to and including a reward's number. */
export async function earnedThrough(
  db: DbOrTx,
  place: { userId: bigint; kind: ReferralKind; rowNumber: bigint },
): Promise<bigint> {
  if (place.rowNumber === 0n) return 0n
  const row = await own(db)
    .selectFrom('referral_reward')
    .select('running')
    .where('receiver_id', '=', place.userId)
    .where('kind', '=', place.kind)
    .where('row_number', '=', place.rowNumber)
    .executeTakeFirstOrThrow()
  return row.running
}

/** Changes the claimed amount of a balance: up with a claim, down when one ends without payment. */
export async function moveClaimed(
  tx: Tx,
  move: { userId: bigint; kind: ReferralKind; by: bigint; claimedRows?: bigint },
): Promise<void> {
  await own(tx)
    .updateTable('referral_balance')
    .set({
      claimed: sql<bigint>`claimed + ${move.by}`,
      ...(move.claimedRows === undefined ? {} : { claimed_rows: move.claimedRows }),
    })
    .where('user_id', '=', move.userId)
    .where('kind', '=', move.kind)
    .execute()
}

/** The rewards of one fee, with their receivers' addresses. */
export function rewardsOfFee(db: DbOrTx, feeId: bigint) {
  return own(db)
    .selectFrom('referral_reward as r')
    .innerJoin('app_user_view as u', 'u.id', 'r.receiver_id')
    .select(['r.receiver_id', 'r.kind', 'r.amount', 'u.address'])
    .where('r.fee_id', '=', feeId)
    .orderBy('r.id')
    .execute()
}
