import { sql } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { type Chain, own } from './payouts.tables.ts'

export type PayoutScope =
  | { kind: 'plan'; planCode: string }
  | { kind: 'payout'; payoutId: string }
  | { kind: 'account'; accountId: string }
  | { kind: 'chain'; chain: Chain }

export type Halt = { scope: PayoutScope; reason: string }

/**
 * Replaces the halts of a source. While a halt is in force, no payout in its scope is signed. Transactions that are
 * already signed cannot be recalled. Safe to repeat.
 */
export async function haltPayouts(
  tx: Tx,
  { source, halts, at }: { source: string; halts: readonly Halt[]; at: Date },
): Promise<void> {
  await own(tx).deleteFrom('payout_halt').where('source', '=', source).execute()
  for (const { scope, reason } of halts) {
    await own(tx)
      .insertInto('payout_halt')
      .values({ source, kind: scope.kind, scope: formatScope(scope), reason, since: at })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Why a payout may not be signed now; undefined when it may. */
export async function haltOf(tx: DbOrTx, payoutId: bigint): Promise<string | undefined> {
  const { rows } = await sql<{ reason: string }>`
    select h.reason from payout p join payout_halt h on ${isHalted}
    where p.id = ${payoutId} order by h.since limit 1`.execute(tx)
  return rows[0]?.reason
}

const isHalted = sql`case h.kind when 'plan' then h.scope = p.plan_code
  when 'payout' then h.scope = p.id::text when 'account' then h.scope = p.account_id::text else h.scope = p.chain end`

function formatScope(scope: PayoutScope): string {
  switch (scope.kind) {
    case 'plan':
      return scope.planCode
    case 'payout':
      return scope.payoutId
    case 'account':
      return scope.accountId
    case 'chain':
      return scope.chain
  }
}
