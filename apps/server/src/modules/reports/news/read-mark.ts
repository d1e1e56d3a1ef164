import { sql } from 'kysely'
import type { DbOrTx } from '../../../platform/db.ts'

/** Whose pages ask. */
export type Holder = { id: bigint; address: Buffer }

/**
 * A text that changes with everything that the pages of a holder show: the marks of all rows of theirs, and those of the
 * rows that many holders share. Prices and plans are not part of it, as they concern everybody and change often.
 */
export async function readMark(db: DbOrTx, { id, address }: Holder): Promise<string> {
  const { rows } = await sql<{ own: bigint; shared: bigint }>`
    select coalesce(bit_xor(mark) filter (where is_own), 0) as own,
      coalesce(bit_xor(mark) filter (where not is_own), 0) as shared
    from (
      select mark, true as is_own from app_user_mark where user_id = ${id}
      union all select mark, true from notice_mark where user_id = ${id}
      union all select mark, true from referral_mark where user_id = ${id}
      union all select mark, true from earning_mark where staker = ${address}
      union all select mark, true from claim_mark where staker = ${address}
      union all select mark, false from distribution_mark) marks`.execute(db)
  const { own, shared } = rows[0] ?? { own: 0n, shared: 0n }
  return `${hexOf(own)}-${hexOf(shared)}`
}

/** The part of a mark that is the holder's own. */
export function ownPart(mark: string | undefined): string | undefined {
  return mark?.split('-', 1)[0]
}

function hexOf(mark: bigint): string {
  return BigInt.asUintN(64, mark).toString(16).padStart(16, '0')
}
