import type { Selectable } from 'kysely'
import { encodeAbiParameters, type Hex, keccak256 } from 'viem'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'
import { bytesOf, hexOf } from '../chain/index.ts'
import { holdIfSentBefore } from './hold-sent-before.ts'
import { type Chain, own, type PayoutTable } from './payouts.tables.ts'

/** The wait reason of a payout that an admin pays. */
export const MANUAL = 'MANUAL'

/** Amounts in base units. `to` is the 20 bytes of the receiver's address on that chain. */
export type NewPayout = {
  chain: Chain
  asset: 'DCT' | 'USDT'
  /** The business fact that makes it due, such as `claim:17:later`. One payout per cause. */
  cause: string
  /** The id that the reward contract pays only once. Unique for USDT payouts, too. */
  payoutKey: Hex
  to: Uint8Array
  amount: bigint
  /** The plan whose pool pays. DCT only. */
  planCode?: string
  /** Paid by an admin and never by a sender. USDT only. */
  isManual?: boolean
  at: Date
}

/**
 * Creates a due payment. Call it in the transaction that moves the amount into `account.payout(id)`. Repeating it with
 * the same cause and content is safe and returns the same id.
 */
export async function createPayout(tx: Tx, payout: NewPayout): Promise<bigint> {
  const values = {
    chain: payout.chain,
    asset: payout.asset,
    cause: payout.cause,
    payout_key: bytesOf(payout.payoutKey),
    to_address: Buffer.from(payout.to),
    amount: payout.amount,
  }
  const plan_code = payout.planCode ?? null
  const made = await own(tx)
    .insertInto('payout')
    .values({ ...values, ...waitOf(payout), plan_code, created_at: payout.at })
    // With the cause as the only target, a concurrent insert could still violate `payout_key_once`.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made !== undefined) {
    if (payout.isManual === true) {
      await holdIfSentBefore(tx, { id: made.id, to: hexOf(payout.to), amount: payout.amount })
    }
    return made.id
  }
  const found = await own(tx)
    .selectFrom('payout')
    .select('id')
    .where((eb) => eb.and(values))
    .where('plan_code', 'is not distinct from', plan_code)
    .executeTakeFirst()
  invariant(found !== undefined, `payout ${payout.cause} exists with other content`)
  return found.id
}

function waitOf({ isManual = false, at }: NewPayout) {
  return isManual ? { is_manual: true, wait_reason: MANUAL, waiting_since: at } : {}
}

/** The id under which the reward contract pays one part of one claim, exactly once. */
export function rewardPayoutKey(claim: {
  stakeId: bigint
  firstCycle: number
  lastCycle: number
  part: 1 | 2
}): Hex {
  const { stakeId, firstCycle, lastCycle, part } = claim
  const numbers = [stakeId, BigInt(firstCycle), BigInt(lastCycle), BigInt(part)] as const
  return keccak256(
    encodeAbiParameters(
      [{ type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }, { type: 'uint256' }],
      numbers,
    ),
  )
}

export type Payout = {
  id: bigint
  chain: Chain
  asset: 'DCT' | 'USDT'
  cause: string
  payoutKey: Hex
  to: Hex
  amount: bigint
  planCode: string | null
}

export const PAYOUT_COLUMNS = [
  'id',
  'chain',
  'asset',
  'cause',
  'payout_key',
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

type PayoutRow = Pick<Selectable<PayoutTable>, (typeof PAYOUT_COLUMNS)[number]>

export function readPayout(row: PayoutRow): Payout {
  return {
    id: row.id,
    chain: row.chain,
    asset: row.asset,
    cause: row.cause,
    payoutKey: hexOf(row.payout_key),
    to: hexOf(row.to_address),
    amount: row.amount,
    planCode: row.plan_code,
  }
}
