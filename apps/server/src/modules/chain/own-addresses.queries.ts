import type { Hex } from 'viem'
import type { Db, DbOrTx } from '../../platform/database/db.ts'
import { bytesOf, hexOf } from './bytes.ts'
import { type OwnAddressRole, own } from './chain.tables.ts'

export type OwnAddresses = Readonly<Record<OwnAddressRole, readonly Hex[]>>

/** The chain of each role. */
const CHAIN_OF = {
  operator: 'TRON',
  payout_wallet: 'BSC',
  fee_receiver: 'BSC',
  payout_operator: 'BSC',
} as const satisfies Record<OwnAddressRole, string>

/** Records permanently that the service uses these addresses from `at` (real time). Safe to repeat. */
export async function recordOwnAddresses(
  db: Db,
  used: readonly { role: OwnAddressRole; address: Hex }[],
  at: Date,
): Promise<void> {
  if (used.length === 0) return
  const rows = used.map(({ role, address }) => ({
    chain: CHAIN_OF[role],
    address: bytesOf(address),
    role,
    since: at,
  }))
  await own(db)
    .insertInto('own_address')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** All addresses that were ever used, by role, oldest first. */
export async function ownAddresses(db: DbOrTx): Promise<OwnAddresses> {
  const rows = await own(db)
    .selectFrom('own_address')
    .select(['role', 'address'])
    .orderBy('since')
    .orderBy('address')
    .execute()
  const of = (role: OwnAddressRole) =>
    rows.filter((row) => row.role === role).map(({ address }) => hexOf(address))
  return {
    operator: of('operator'),
    payout_wallet: of('payout_wallet'),
    fee_receiver: of('fee_receiver'),
    payout_operator: of('payout_operator'),
  }
}
