import type { Selectable } from 'kysely'
import type { Hex } from 'viem'
import type { Db, DbOrTx, Tx } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'
import { bytesOf, hexOf } from '../chain/index.ts'
import { type Chain, own, type PayoutAccountTable } from './payouts.tables.ts'

/** What a chain counts payments for: a stake on Tron, a referrer's kind of bonus on BSC. */
export type AccountKey = {
  chain: Chain
  /** The staker on Tron; on BSC the referrer, by the 20 bytes of the Tron address. */
  holder: Hex
  /** The plan's code on Tron, `direct` or `indirect` on BSC. */
  name: string
}

export type PayoutAccount = AccountKey & {
  id: bigint
  /** What the chain paid, by its events. */
  paid: bigint
  /** The part of `paid` whose own events have not been read. */
  unread: bigint
  /** The sum of the final payouts; at most `paid`. */
  settled: bigint
  /** The sum of the payouts that are neither final nor returned. */
  open: bigint
}

/** What was paid beyond the final payouts. It pays the next ones first. */
export function advanceOf({ paid, settled }: PayoutAccount): bigint {
  return paid - settled
}

const COLUMNS = ['id', 'chain', 'holder', 'name', 'paid', 'unread', 'settled', 'open'] as const

/** An account, locked until the transaction ends; it is created if the chain never paid it. */
export async function lockAccount(tx: Tx, key: AccountKey): Promise<PayoutAccount> {
  const row = await own(tx)
    .insertInto('payout_account')
    .values(valuesOf(key))
    .onConflict((conflict) =>
      conflict
        .constraint('payout_account_once')
        .doUpdateSet((eb) => ({ name: eb.ref('excluded.name') })),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return readAccount(row)
}

/** An account by its key, without a lock; undefined if nothing was ever owed or paid to it. */
export async function findAccount(db: DbOrTx, key: AccountKey): Promise<PayoutAccount | undefined> {
  const row = await own(db)
    .selectFrom('payout_account')
    .select(COLUMNS)
    .where('holder', '=', bytesOf(key.holder))
    .where('chain', '=', key.chain)
    .where('name', '=', key.name)
    .executeTakeFirst()
  return row && readAccount(row)
}

/** Adds to what is owed to an account, which is created if need be. @returns its id */
export async function addOpen(tx: Tx, key: AccountKey, amount: bigint): Promise<bigint> {
  const { id } = await own(tx)
    .insertInto('payout_account')
    .values({ ...valuesOf(key), open: amount })
    .onConflict((conflict) =>
      conflict
        .constraint('payout_account_once')
        .doUpdateSet((eb) => ({ open: eb('payout_account.open', '+', amount) })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes an account's sums by these amounts. */
export async function moveAccount(
  tx: Tx,
  id: bigint,
  by: { paid?: bigint; unread?: bigint; settled?: bigint; open?: bigint },
): Promise<void> {
  const { paid = 0n, unread = 0n, settled = 0n, open = 0n } = by
  const moved = await own(tx)
    .updateTable('payout_account')
    .set((eb) => ({
      paid: eb('paid', '+', paid),
      unread: eb('unread', '+', unread),
      settled: eb('settled', '+', settled),
      open: eb('open', '+', open),
    }))
    .where('id', '=', id)
    .executeTakeFirst()
  invariant(moved.numUpdatedRows === 1n, `payout account ${id} does not exist`)
}

/** Records when an account was tried last, in real time. */
export async function noteTry(db: Db | Tx, id: bigint, at: Date): Promise<void> {
  await own(db).updateTable('payout_account').set({ tried_at: at }).where('id', '=', id).execute()
}

function valuesOf({ chain, holder, name }: AccountKey) {
  return { chain, holder: bytesOf(holder), name, tried_at: null }
}

type AccountRow = Pick<Selectable<PayoutAccountTable>, (typeof COLUMNS)[number]>

export function readAccount(row: AccountRow): PayoutAccount {
  return { ...row, holder: hexOf(row.holder) }
}
