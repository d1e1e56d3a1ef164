import type { ReferralKind } from '@dct/rules/referral-shares'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../../platform/database/db.ts'
import type { Deciders } from '../../proposals/index.ts'
import { own, type ReferralClaimTable } from '../referrals.tables.ts'

type Owner = { userId: bigint; kind: ReferralKind }

export async function hasRequestedClaim(db: DbOrTx, owner: Owner): Promise<boolean> {
  const row = await own(db)
    .selectFrom('referral_claim')
    .select('id')
    .where('user_id', '=', owner.userId)
    .where('kind', '=', owner.kind)
    .where('state', '=', 'requested')
    .executeTakeFirst()
  return row !== undefined
}

/** The amounts of a user's claims that await approval, by kind. */
export async function requestedAmounts(
  db: DbOrTx,
  userId: bigint,
): Promise<Record<ReferralKind, bigint>> {
  const rows = await own(db)
    .selectFrom('referral_claim')
    .select(['kind', 'amount'])
    .where('user_id', '=', userId)
    .where('state', '=', 'requested')
    .execute()
  const amountOf = (kind: ReferralKind) => rows.find((row) => row.kind === kind)?.amount ?? 0n
  return { direct: amountOf('direct'), indirect: amountOf('indirect') }
}

/** The sum of a user's claims of one kind that are approved or paid. */
export async function approvedAmount(db: DbOrTx, owner: Owner): Promise<bigint> {
  const { sum } = await own(db)
    .selectFrom('referral_claim')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<bigint>('amount'), sql<bigint>`0`).as('sum'))
    .where('user_id', '=', owner.userId)
    .where('kind', '=', owner.kind)
    .where('state', 'in', ['approved', 'paid'])
    .executeTakeFirstOrThrow()
  return sum
}

/** Claims that ended without payment and whose rewards are not in another claim yet. */
export async function unclaimedEndedClaims(db: DbOrTx, owner: Owner): Promise<bigint[]> {
  const rows = await own(db)
    .selectFrom('referral_claim')
    .select('id')
    .where('user_id', '=', owner.userId)
    .where('kind', '=', owner.kind)
    .where('state', 'in', ['declined', 'returned'])
    .where('absorbed_by', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

const COLUMNS = [
  'id',
  'user_id',
  'kind',
  'amount',
  'usdt_address',
  'state',
  'approved_by',
  'payout_id',
] as const

export type ClaimRecord = Pick<Selectable<ReferralClaimTable>, (typeof COLUMNS)[number]>

export async function insertClaim(
  tx: Tx,
  claim: Insertable<ReferralClaimTable>,
): Promise<ClaimRecord> {
  return own(tx)
    .insertInto('referral_claim')
    .values(claim)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

/** Moves the rewards of ended claims into a new one. */
export async function mergeClaims(
  tx: Tx,
  absorption: { ids: readonly bigint[]; into: bigint },
): Promise<void> {
  if (absorption.ids.length === 0) return
  await own(tx)
    .updateTable('referral_claim')
    .set({ absorbed_by: absorption.into })
    .where('id', 'in', [...absorption.ids])
    .execute()
}

export async function findClaim(db: DbOrTx, id: bigint): Promise<ClaimRecord | undefined> {
  return own(db)
    .selectFrom('referral_claim')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** The claim, locked until commit. */
export async function lockClaim(tx: Tx, id: bigint): Promise<ClaimRecord | undefined> {
  return own(tx)
    .selectFrom('referral_claim')
    .select(COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** Notes that a claim needs a second approval. Requires the lock on the claim. */
export async function markHalfApproved(tx: Tx, id: bigint): Promise<void> {
  await own(tx)
    .updateTable('referral_claim')
    .set({ needs_two: true })
    .where('id', '=', id)
    .execute()
}

/** Makes a claim that awaits its second approval wait for the first again. Locks it until commit. */
export async function forgetFirstApproval(tx: Tx, id: bigint): Promise<void> {
  await own(tx)
    .updateTable('referral_claim')
    .set({ needs_two: false })
    .where('id', '=', id)
    .where('state', '=', 'requested')
    .execute()
}

export async function markApproved(
  tx: Tx,
  approval: { id: bigint; by: Deciders; payoutId: bigint; at: Date },
): Promise<void> {
  const { setBy, confirmedBy } = approval.by
  await own(tx)
    .updateTable('referral_claim')
    .set({
      state: 'approved',
      needs_two: confirmedBy !== null,
      first_approved_by: confirmedBy === null ? null : setBy,
      approved_by: confirmedBy ?? setBy,
      approved_at: approval.at,
      payout_id: approval.payoutId,
    })
    .where('id', '=', approval.id)
    .execute()
}

/** Ends a claim without payment. Undefined if it is not in the `from` state. */
export async function markEnded(
  tx: Tx,
  end: {
    id: bigint
    from: 'requested' | 'approved'
    to: 'declined' | 'returned'
    adminId: bigint
    reason: string
    at: Date
  },
): Promise<ClaimRecord | undefined> {
  return own(tx)
    .updateTable('referral_claim')
    .set({ state: end.to, ended_by: end.adminId, ended_at: end.at, end_reason: end.reason })
    .where('id', '=', end.id)
    .where('state', '=', end.from)
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** Marks the approved claim of a payout as paid. Undefined if there is none. */
export async function markPaid(
  tx: Tx,
  payment: { payoutId: bigint; txHash: Buffer; blockNumber: bigint; at: Date },
): Promise<ClaimRecord | undefined> {
  return own(tx)
    .updateTable('referral_claim')
    .set({
      state: 'paid',
      paid_tx: payment.txHash,
      paid_block: payment.blockNumber,
      paid_at: payment.at,
    })
    .where('payout_id', '=', payment.payoutId)
    .where('state', '=', 'approved')
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** Marks the paid claim of a payout as approved again. Undefined if there is none. */
export async function markUnpaid(tx: Tx, payoutId: bigint): Promise<ClaimRecord | undefined> {
  return own(tx)
    .updateTable('referral_claim')
    .set({ state: 'approved', paid_tx: null, paid_block: null, paid_at: null })
    .where('payout_id', '=', payoutId)
    .where('state', '=', 'paid')
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** Stores a claim that the vault had paid before these books knew of it. */
export async function insertPaidClaim(
  tx: Tx,
  paid: Owner & {
    amount: bigint
    usdtAddress: Buffer
    payoutId: bigint
    txHash: Buffer
    blockNumber: bigint
    at: Date
  },
): Promise<ClaimRecord> {
  return insertClaim(tx, {
    user_id: paid.userId,
    kind: paid.kind,
    amount: paid.amount,
    from_row: 0n,
    through_row: 0n,
    usdt_address: paid.usdtAddress,
    requested_at: paid.at,
    state: 'paid',
    approved_at: paid.at,
    payout_id: paid.payoutId,
    paid_tx: paid.txHash,
    paid_block: paid.blockNumber,
    paid_at: paid.at,
  })
}

/** Serializes decisions about the vault's funds, until commit. */
export async function lockTreasury(tx: Tx): Promise<void> {
  await own(tx)
    .insertInto('referral_treasury')
    .defaultValues()
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await own(tx).selectFrom('referral_treasury').select('single').forUpdate().execute()
}

/**
 * Commits an amount of the vault's funds, if the observed balance covers both it and everything already
 * committed. Claims paid after the block of that balance still count against it.
 * @returns whether the amount was committed
 */
export async function commitFunds(
  tx: Tx,
  wish: { amount: bigint; seen: { usdt: bigint; blockNumber: bigint } },
): Promise<boolean> {
  const { amount, seen } = wish
  const done = await sql`
    update referral_treasury set committed = committed + ${amount}
    where committed + ${amount} + (
      select coalesce(sum(c.amount), 0) from referral_claim c
      where c.state = 'paid' and c.paid_block > ${seen.blockNumber}) <= ${seen.usdt}`.execute(tx)
  return (done.numAffectedRows ?? 0n) > 0n
}

/** Releases committed funds, after their payment or when they will not be paid. */
export async function releaseFunds(tx: Tx, amount: bigint): Promise<void> {
  await own(tx)
    .updateTable('referral_treasury')
    .set({ committed: sql<bigint>`committed - ${amount}` })
    .execute()
}

/** USDT base units that are approved for payment from the vault and not paid yet. */
export async function committedFunds(db: DbOrTx): Promise<bigint> {
  const row = await own(db).selectFrom('referral_treasury').select('committed').executeTakeFirst()
  return row?.committed ?? 0n
}
