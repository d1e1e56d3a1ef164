import { sql } from 'kysely'
import type { DbOrTx } from '../../platform/db.ts'
import './statements.tables.ts'

export type CaseClaim = NonNullable<Awaited<ReturnType<typeof findCaseClaim>>>

/** The claim of a case, by its code or by the transaction that paid its fee. */
export async function findCaseClaim(db: DbOrTx, name: string) {
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(name)?.[1]
  const claims = db
    .selectFrom('claim as c')
    .innerJoin('earning as e', 'e.id', 'c.earning_id')
    .selectAll('c')
    .select(['e.tx_hash as stake_tx', 'e.amount as stake_amount'])
  return digits === undefined
    ? claims.where('c.code_claim', '=', name.toUpperCase()).executeTakeFirst()
    : claims.where('c.fee_tx', '=', Buffer.from(digits, 'hex')).executeTakeFirst()
}

export async function findClaimById(db: DbOrTx, id: bigint) {
  return db
    .selectFrom('claim as c')
    .innerJoin('earning as e', 'e.id', 'c.earning_id')
    .selectAll('c')
    .select(['e.tx_hash as stake_tx', 'e.amount as stake_amount'])
    .where('c.id', '=', id)
    .executeTakeFirst()
}

/** USDT that settled the fee, or was probably meant for it. */
export function paymentsOf(db: DbOrTx, claimId: bigint) {
  return db
    .selectFrom('usdt_receipt')
    .selectAll()
    .where((eb) => eb.or([eb('claim_id', '=', claimId), eb('nearest_claim_id', '=', claimId)]))
    .orderBy('block_time')
    .orderBy('log_index')
    .limit(100)
    .execute()
}

/** The transaction that the holder named last. */
export function hintOf(db: DbOrTx, claimId: bigint) {
  return db.selectFrom('fee_hint').selectAll().where('claim_id', '=', claimId).executeTakeFirst()
}

/** What was or is to be sent for the claim, with how often it was tried. */
export function payoutsOf(db: DbOrTx, claimId: bigint) {
  return db
    .selectFrom('payout as p')
    .select(['p.id', 'p.cause', 'p.amount', 'p.state', 'p.wait_reason', 'p.wait_detail'])
    .select(['p.held_note', 'p.final_tx', 'p.created_at', 'p.final_at'])
    .select((eb) =>
      eb
        .selectFrom('send_attempt as a')
        .select((count) => count.fn.countAll<bigint>().as('count'))
        .whereRef('a.payout_id', '=', 'p.id')
        .as('attempts'),
    )
    .where('p.cause', 'in', [`claim:${claimId}:now`, `claim:${claimId}:later`])
    .orderBy('p.id')
    .execute()
}

/** What the chains showed of these transactions. */
export async function eventsOfTransactions(db: DbOrTx, hashes: readonly Buffer[]) {
  if (hashes.length === 0) return []
  return db
    .selectFrom('chain_event')
    .select(['chain', 'name', 'tx_hash', 'block_number', 'block_time'])
    .where('chain', 'in', ['TRON', 'BSC'])
    .where('tx_hash', 'in', [...hashes])
    .orderBy('block_time')
    .orderBy('log_index')
    .limit(200)
    .execute()
}

export type CaseEntryRow = {
  kind: string
  ref: string
  asset: 'DCT' | 'USDT'
  amount: bigint
  at: Date
  debit: string
  credit: string
}

/** What the ledger has of a claim. Transfers are found by what they book: kind and reference are their key. */
export async function entriesOf(
  db: DbOrTx,
  refs: {
    claim: string
    receipts: readonly string[]
    payouts: readonly string[]
    rewards: readonly string[]
  },
): Promise<CaseEntryRow[]> {
  const { rows } = await sql<CaseEntryRow>`
    select t.kind, t.ref, t.asset, t.amount, t.at, d.code as debit, c.code as credit
    from ledger_transfer t join ledger_account d on d.id = t.debit_id
      join ledger_account c on c.id = t.credit_id
    where (t.kind in ('claim.waits_for_fee', 'claim.half_at_once', 'claim.rest_due', 'claim.cancelled',
          'claim.lapsed') and t.ref = ${refs.claim})
      or (t.kind in ('fee.paid', 'fee.energy_paid', 'receipt.unmatched')
        and t.ref = any(${[...refs.receipts]}::text[]))
      or (t.kind = 'payout.paid' and t.ref = any(${[...refs.payouts]}::text[]))
      or (t.kind in ('referral.direct', 'referral.indirect') and t.ref = any(${[...refs.rewards]}::text[]))
    order by t.at, t.kind, t.ref`.execute(db)
  return rows
}

export function rewardsOf(db: DbOrTx, claimId: bigint) {
  return db
    .selectFrom('referral_reward as r')
    .innerJoin('app_user as u', 'u.id', 'r.receiver_id')
    .select(['r.receiver_id', 'r.kind', 'r.amount', 'u.address'])
    .where('r.fee_id', '=', claimId)
    .orderBy('r.id')
    .execute()
}

export function notesOf(db: DbOrTx, claimId: bigint) {
  return db
    .selectFrom('case_note as n')
    .innerJoin('app_user as u', 'u.id', 'n.admin_id')
    .select(['n.id', 'n.text', 'n.at', 'u.address'])
    .where('n.claim_id', '=', claimId)
    .orderBy('n.id')
    .limit(500)
    .execute()
}

export function linksOf(db: DbOrTx, claimId: bigint) {
  return db
    .selectFrom('case_link as l')
    .innerJoin('app_user as u', 'u.id', 'l.created_by')
    .select(['l.id', 'l.created_at', 'l.expires_at', 'l.revoked_at', 'u.address'])
    .where('l.claim_id', '=', claimId)
    .orderBy('l.id', 'desc')
    .limit(100)
    .execute()
}
