import type { Selectable } from 'kysely'
import type { Hex } from 'viem'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'
import { bytesOf, hexOf } from '../chain/index.ts'
import { type AccountKey, addOpen, moveAccount } from './accounts.queries.ts'
import { type Chain, OPEN_STATES, own, type PayoutTable } from './payouts.tables.ts'

export type NewPayout = {
  /** The account that the chain counts the payment for. */
  account: AccountKey
  /** The business fact that makes it due, such as `claim:17:later`. One payout per cause. */
  cause: string
  /** Where to pay on BSC. On Tron rewards go to their staker. */
  to?: Uint8Array
  /** Base units of the chain's asset. */
  amount: bigint
  at: Date
}

/**
 * Creates a due payment. Call it in the transaction that moves the amount into `account.payout(id)`. Repeating it with
 * the same cause and content is safe and returns the same id.
 */
export async function createPayout(tx: Tx, payout: NewPayout): Promise<bigint> {
  const { account, amount } = payout
  const account_id = await addOpen(tx, account, amount)
  const values = {
    account_id,
    chain: account.chain,
    asset: account.chain === 'TRON' ? 'DCT' : 'USDT',
    cause: payout.cause,
    to_address: payout.to === undefined ? bytesOf(account.holder) : Buffer.from(payout.to),
    amount,
  } as const
  const plan_code = account.chain === 'TRON' ? account.name : null
  const made = await own(tx)
    .insertInto('payout')
    .values({ ...values, plan_code, created_at: payout.at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made !== undefined) return made.id
  await moveAccount(tx, account_id, { open: -amount })
  const found = await own(tx)
    .selectFrom('payout')
    .select('id')
    .where((eb) => eb.and(values))
    .executeTakeFirst()
  invariant(found !== undefined, `payout ${payout.cause} exists with other content`)
  return found.id
}

export type Payout = {
  id: bigint
  accountId: bigint
  chain: Chain
  asset: 'DCT' | 'USDT'
  cause: string
  to: Hex
  amount: bigint
  planCode: string | null
}

export const PAYOUT_COLUMNS = [
  'id',
  'account_id',
  'chain',
  'asset',
  'cause',
  'to_address',
  'amount',
  'plan_code',
] as const

/** A payout by id. It must exist. */
export async function getPayout(db: DbOrTx, id: bigint): Promise<Payout> {
  const row = await own(db)
    .selectFrom('payout')
    .select(PAYOUT_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst()
  invariant(row !== undefined, `payout ${id} does not exist`)
  return readPayout(row)
}

/** Payouts by their ids. */
export async function getPayouts(
  db: DbOrTx,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, Payout>> {
  if (ids.length === 0) return new Map()
  const rows = await own(db)
    .selectFrom('payout')
    .select(PAYOUT_COLUMNS)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, readPayout(row)]))
}

/** When the newest payout to a receiver was made whose cause begins with that word; undefined if there is none. */
export async function lastPayoutTo(
  db: DbOrTx,
  { to, cause }: { to: Buffer; cause: string },
): Promise<Date | undefined> {
  const row = await own(db)
    .selectFrom('payout')
    .select('created_at')
    .where('to_address', '=', to)
    .where('cause', 'like', `${cause}:%`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

/** The payouts of an account that are neither final nor returned, oldest first. */
export async function openPayouts(db: DbOrTx, accountId: bigint): Promise<Payout[]> {
  const rows = await own(db)
    .selectFrom('payout')
    .select(PAYOUT_COLUMNS)
    .where('account_id', '=', accountId)
    .where('state', 'in', OPEN_STATES)
    .orderBy('id')
    .execute()
  return rows.map(readPayout)
}

/** The final payouts of an account, newest first. */
export async function finalPayouts(db: DbOrTx, accountId: bigint): Promise<Payout[]> {
  const rows = await own(db)
    .selectFrom('payout')
    .select(PAYOUT_COLUMNS)
    .where('account_id', '=', accountId)
    .where('state', '=', 'final')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(readPayout)
}

type PayoutRow = Pick<Selectable<PayoutTable>, (typeof PAYOUT_COLUMNS)[number]>

export function readPayout(row: PayoutRow): Payout {
  return {
    id: row.id,
    accountId: row.account_id,
    chain: row.chain,
    asset: row.asset,
    cause: row.cause,
    to: hexOf(row.to_address),
    amount: row.amount,
    planCode: row.plan_code,
  }
}
