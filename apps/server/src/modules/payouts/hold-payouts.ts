import type { Tx } from '../../platform/db.ts'
import { moveIntent } from './intents.queries.ts'
import type { Chain } from './payouts.tables.ts'
import './payouts.tables.ts'

export type PayoutScope =
  | { kind: 'plan'; planCode: string }
  | { kind: 'payout'; payoutId: string }
  | { kind: 'chain'; chain: Chain }

/**
 * Keeps payouts that were not signed yet from being paid, until an admin retries each. What is signed already can't be
 * called back. Safe to repeat.
 * @returns how many it held.
 */
export async function holdPayouts(
  tx: Tx,
  { scope, reason }: { scope: PayoutScope; reason: string },
): Promise<number> {
  const queued = await tx
    .selectFrom('payout')
    .select('id')
    .where('state', '=', 'queued')
    .$if(scope.kind === 'plan', (rest) =>
      rest.where('plan_code', '=', scope.kind === 'plan' ? scope.planCode : ''),
    )
    .$if(scope.kind === 'payout', (rest) =>
      rest.where('id', '=', scope.kind === 'payout' ? BigInt(scope.payoutId) : 0n),
    )
    .$if(scope.kind === 'chain', (rest) =>
      rest.where('chain', '=', scope.kind === 'chain' ? scope.chain : 'TRON'),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const { id } of queued) await moveIntent(tx, { table: 'payout', id }, { held: reason })
  return queued.length
}
