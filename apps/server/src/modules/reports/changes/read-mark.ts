import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/database/db.ts'

/** The holder whose pages poll. */
export type Holder = { id: bigint; address: Buffer }

/**
 * A text that changes with everything shown on a holder's pages: the marks of all of their rows, and those of the rows
 * that many holders share. Prices and plans are not part of it, because they concern all holders and change often.
 */
export async function readMark(db: DbOrTx, { id, address }: Holder): Promise<string> {
  const { rows } = await sql<{ own: bigint; shared: bigint }>`
    select coalesce(bit_xor(mark) filter (where is_own), 0) as own,
      coalesce(bit_xor(mark) filter (where not is_own), 0) as shared
    from (
      select mark, true as is_own from app_user_mark where user_id = ${id}
      union all select mark, true from message_mark where user_id = ${id}
      union all select mark, true from money_step_mark where user_id = ${id}
      union all select mark, true from referral_mark where user_id = ${id}
      union all select mark, true from earning_mark where staker = ${address}
      union all select mark, true from claim_mark where staker = ${address}
      union all select mark, false from distribution_mark) marks`.execute(db)
  const { own, shared } = rows[0] ?? { own: 0n, shared: 0n }
  return `${hexOf(own)}-${hexOf(shared)}`
}

/** The part of a mark that is specific to the holder. */
export function ownPart(mark: string | undefined): string | undefined {
  return mark?.split('-', 1)[0]
}

function hexOf(mark: bigint): string {
  return BigInt.asUintN(64, mark).toString(16).padStart(16, '0')
}
