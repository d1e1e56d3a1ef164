import { realClock } from '../../platform/clock.ts'
import { isHalted } from '../chain/index.ts'
import { duePayouts } from './due-payouts.ts'
import { dueCalls } from './operator-calls.ts'
import type { Chain } from './payouts.tables.ts'
import { type SenderDeps, waitFor } from './sender-deps.ts'

const NOTED_AT_ONCE = 100

/**
 * While a chain is halted, the transaction states that its nodes report may be undone: nothing is signed for the chain,
 * and no signed transaction is decided. Due intents wait, and continue once an admin has ended the halt.
 * @returns whether the chain is halted
 */
export async function waitWhileHalted(deps: SenderDeps, chain: Chain): Promise<boolean> {
  if (!(await isHalted(deps.db, chain))) return false
  const query = { chain, now: realClock.now(), limit: NOTED_AT_ONCE }
  const payouts = await duePayouts(deps.db, query)
  const calls = await dueCalls(deps.db, query)
  const intents = [
    ...payouts.map(({ id }) => ({ table: 'payout', id }) as const),
    ...calls.map(({ id }) => ({ table: 'operator_call', id }) as const),
  ]
  for (const intent of intents) {
    await waitFor(deps, intent, { chain, reason: 'CHAIN_HALTED', detail: '' })
  }
  return true
}
