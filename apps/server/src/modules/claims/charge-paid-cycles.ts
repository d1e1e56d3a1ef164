import type { Tx } from '../../platform/database/db.ts'
import { takePaidCycles } from '../earnings/index.ts'
import { account } from '../ledger/index.ts'
import type { Charge } from '../payouts/index.ts'

/** What the causes of such payouts begin with. */
export const PAID_CYCLES = 'paid-cycles'

/**
 * Marks the oldest unclaimed cycles of a stake as claimed that the chain has already paid: by a claim that a restored
 * database has lost, or by a stolen key. Whole cycles only, worth at most this much in base units.
 */
export async function chargePaidCycles(
  tx: Tx,
  paid: { staker: Buffer; planCode: string; most: bigint },
): Promise<Charge | undefined> {
  const taken = await takePaidCycles(tx, paid)
  if (taken === undefined) return undefined
  const { earningId, firstCycle, lastCycle, amount } = taken
  const cause = `${PAID_CYCLES}:${earningId}:${firstCycle}-${lastCycle}`
  return { cause, amount, debit: account.credited(paid.planCode) }
}
