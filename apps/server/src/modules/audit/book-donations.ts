import { sql } from 'kysely'
import { ADVISORY_LOCKS } from '../../platform/database/advisory-locks.ts'
import type { Tx } from '../../platform/database/db.ts'
import { account, balanceOf, postTransfers } from '../ledger/index.ts'
import { type ContractState, poolMustHold } from './checks/contracts.ts'

/**
 * Books DCT that somebody sent directly to a contract as surplus: it belongs to no plan and no stake. Concurrent audits
 * take turns: each must see what the other has booked.
 */
export async function bookDonations(tx: Tx, contracts: ContractState, at: Date): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.donations})`.execute(tx)
  const places = {
    staking: contracts.stakingHolds - contracts.totalLocked,
    reward_pool: contracts.poolHolds - poolMustHold(contracts),
  } as const
  for (const place of ['staking', 'reward_pool'] as const) {
    const donated = places[place]
    const booked = await balanceOf(tx, { asset: 'DCT', account: account.donations(place) })
    if (donated <= booked) continue
    await postTransfers(tx, [
      {
        debit: account.donations(place),
        credit: account.surplus(place),
        asset: 'DCT',
        amount: donated - booked,
        kind: 'donation',
        ref: `${place}:${donated}`,
        at,
      },
    ])
  }
}
