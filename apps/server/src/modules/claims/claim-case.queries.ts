import type { DbOrTx, ReadDb } from '../../platform/database/db.ts'
import { own } from './claims.tables.ts'

/** A claim with its stake's transaction and amount. */
export type CaseClaim = NonNullable<Awaited<ReturnType<typeof findCaseClaim>>>

const CLAIM_ID = /^[1-9]\d{0,17}$/

/** A claim by its code, by its id, as causes of payouts name it, or by the transaction that paid its fee. */
export async function findCaseClaim(db: DbOrTx, name: string) {
  if (CLAIM_ID.test(name)) return findCaseClaimById(db, BigInt(name))
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(name)?.[1]
  return digits === undefined
    ? caseClaims(db).where('c.code_claim', '=', name.toUpperCase()).executeTakeFirst()
    : caseClaims(db).where('c.fee_tx', '=', Buffer.from(digits, 'hex')).executeTakeFirst()
}

export async function findCaseClaimById(db: DbOrTx, id: bigint) {
  return caseClaims(db).where('c.id', '=', id).executeTakeFirst()
}

function caseClaims(db: DbOrTx) {
  return own(db)
    .selectFrom('claim as c')
    .innerJoin('earning_view as e', 'e.id', 'c.earning_id')
    .selectAll('c')
    .select(['e.tx_hash as stake_tx', 'e.amount as stake_amount'])
}

/** The codes of claims by their ids. */
export async function codesOfClaims(
  db: ReadDb,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  if (ids.length === 0) return new Map()
  const rows = await own(db)
    .selectFrom('claim')
    .select(['id', 'code_claim'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, code_claim }) => [id, code_claim]))
}

/** USDT receipts that settled the fee, or were probably meant for it. */
export function paymentsOfClaim(db: DbOrTx, claimId: bigint) {
  return own(db)
    .selectFrom('usdt_receipt')
    .selectAll()
    .where((eb) => eb.or([eb('claim_id', '=', claimId), eb('nearest_claim_id', '=', claimId)]))
    .orderBy('block_time')
    .orderBy('log_index')
    .limit(100)
    .execute()
}

/** The transaction that the holder last submitted as the fee payment. */
export function hintOfClaim(db: DbOrTx, claimId: bigint) {
  return own(db)
    .selectFrom('fee_hint')
    .selectAll()
    .where('claim_id', '=', claimId)
    .executeTakeFirst()
}
