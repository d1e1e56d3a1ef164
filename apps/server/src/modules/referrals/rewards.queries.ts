import type { ReferralKind, ReferralShare, Upline } from '@dct/rules/referral-shares'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import './referrals.tables.ts'

export type PayerLine = { address: Buffer; referrerId: bigint | undefined; line: Upline[] }

type LineRow = {
  address: Buffer
  referrer_id: bigint | null
  user_id: bigint | null
  level: number
  rate_bps: number
}

/** Who stands above a payer: the referrer, and those whose percentage is above all below them. */
export async function lineAbove(db: DbOrTx, payerId: bigint): Promise<PayerLine | undefined> {
  const { rows } = await sql<LineRow>`
    select u.address, u.referrer_id, l.user_id, l.level, l.rate_bps
    from app_user u left join lateral referral_line(u.id) l on true
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
 * Records a fee and credits its shares, in one statement that locks no longer than it must: the rows of receivers stay
 * locked until commit, which gives the rewards of one receiver their numbers in the order of their commits. They are
 * always locked in one order.
 * @returns false when the fee was recorded before; whoever does it at the same time waits.
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
        select s.user_id, s.kind, 1, s.amount from fee cross join share s order by s.user_id, s.kind
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
