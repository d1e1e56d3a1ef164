import { lesser } from '@dct/chain-clients/bigints'
import type { ReferralKind } from '@dct/rules/referral-shares'
import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../../platform/database/db.ts'
import { findUserByAddress } from '../../auth/index.ts'
import type { Charge, SignedClaim } from '../../payouts/index.ts'
import { referralAccount } from '../referral-account.ts'
import { own } from '../referrals.tables.ts'
import { lockBalance, moveClaimed, readBalance } from '../rewards/rewards.queries.ts'
import { hasRequestedClaim } from './referral-claims.queries.ts'

const CAUSE = 'referral-paid:'

/**
 * Charges what the vault paid a referrer beyond the payouts in the books to the referrer's unclaimed rewards, as after a
 * restore that lost a claim. A claim that awaits approval comes first, because the vault may have paid that one.
 * @returns undefined if nothing can be charged now
 */
export async function chargePaidReferral(
  tx: Tx,
  paid: { referrer: Buffer; kind: ReferralKind; most: bigint },
): Promise<Charge | undefined> {
  const { kind, most } = paid
  const user = await findUserByAddress(tx, paid.referrer)
  if (user === undefined) return undefined
  const owner = { userId: user.id, kind }
  await lockBalance(tx, owner)
  if (await hasRequestedClaim(tx, owner)) return undefined
  const { earned, claimed } = await readBalance(tx, owner)
  const amount = lesser(most, earned - claimed)
  if (amount <= 0n) return undefined
  await moveClaimed(tx, { ...owner, by: amount })
  const cause = `${CAUSE}${user.id}:${kind}:${await countClaims(tx, user.id)}`
  return { cause, amount, debit: referralAccount(owner) }
}

/** Whose claim such a payout stands for; undefined for any other payout. */
export function readPaidCause(cause: string): { userId: bigint; kind: ReferralKind } | undefined {
  const [, user, kind] = /^referral-paid:(\d+):(direct|indirect):\d+$/.exec(cause) ?? []
  if (user === undefined) return undefined
  return { userId: BigInt(user), kind: kind as ReferralKind }
}

/** What the referrer signed for the claim that a payout pays; undefined if there is none. */
export async function signedClaimOf(
  db: DbOrTx,
  payoutId: bigint,
): Promise<SignedClaim | undefined> {
  const row = await own(db)
    .selectFrom('referral_claim')
    .select(['amount', 'total', 'opening', 'closing', 'signature'])
    .where('payout_id', '=', payoutId)
    .where('state', '=', 'approved')
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { amount: claimed, total, opening, closing, signature } = row
  if (total === null || opening === null || closing === null || signature === null) return undefined
  return { claimed, total, opening, closing, signature }
}

async function countClaims(tx: Tx, userId: bigint): Promise<bigint> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) from referral_claim where user_id = ${userId}`.execute(tx)
  return rows[0]?.count ?? 0n
}
