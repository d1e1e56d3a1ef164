import type { CaseEntryKind } from '@dct/api-contract/codes'
import { sql } from 'kysely'
import type { DbOrTx } from '../../platform/database/db.ts'
import { own } from './reports.tables.ts'

export type CaseEntryRow = {
  kind: CaseEntryKind
  ref: string
  asset: 'DCT' | 'USDT'
  amount: bigint
  at: Date
  debit: string
  credit: string
}

/** The ledger transfers of a claim, found by kind and reference, which are their key. */
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
    with entries as materialized (select * from ledger_transfer_view t where (t.kind in ('claim.waits_for_fee', 'claim.half_at_once', 'claim.rest_due', 'claim.cancelled',
          'claim.lapsed') and t.ref = ${refs.claim})
      or (t.kind in ('fee.paid', 'fee.energy_paid', 'receipt.unmatched')
        and t.ref = any(${[...refs.receipts]}::text[]))
      or (t.kind = 'payout.paid' and t.ref = any(${[...refs.payouts]}::text[]))
      or (t.kind in ('referral.direct', 'referral.indirect') and t.ref = any(${[...refs.rewards]}::text[])))
    select t.kind, t.ref, t.asset, t.amount, t.at, d.code as debit, c.code as credit
    from entries t join ledger_account_view d on d.id = t.debit_id
      join ledger_account_view c on c.id = t.credit_id
    order by t.at, t.kind, t.ref`.execute(db)
  return rows
}

export function notesOf(db: DbOrTx, claimId: bigint) {
  return own(db)
    .selectFrom('case_note as n')
    .innerJoin('app_user_view as u', 'u.id', 'n.admin_id')
    .select(['n.id', 'n.text', 'n.at', 'u.address'])
    .where('n.claim_id', '=', claimId)
    .orderBy('n.id')
    .limit(500)
    .execute()
}

export function linksOf(db: DbOrTx, claimId: bigint) {
  return own(db)
    .selectFrom('case_link as l')
    .innerJoin('app_user_view as u', 'u.id', 'l.created_by')
    .select(['l.id', 'l.created_at', 'l.expires_at', 'l.revoked_at', 'u.address'])
    .where('l.claim_id', '=', claimId)
    .orderBy('l.id', 'desc')
    .limit(100)
    .execute()
}
