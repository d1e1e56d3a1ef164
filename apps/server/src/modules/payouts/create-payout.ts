import { encodeAbiParameters, type Hex, keccak256 } from 'viem'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import { invariant } from '../../platform/errors.ts'
import { bytesOf, hexOf } from '../chain/index.ts'
import type { Chain } from './payouts.tables.ts'
import './payouts.tables.ts'

/** What a payout waits for that an admin pays. */
export const BY_HAND = 'BY_HAND'

/** Amounts in base units. `to` is the 20 bytes of the receiver's address on that chain. */
export type NewPayout = {
  chain: Chain
  asset: 'DCT' | 'USDT'
  /** The business fact that makes it due, such as `claim:17:later`; one payout each. */
  cause: string
  /** What the reward contract pays once; unique for USDT too. */
  payoutKey: Hex
  to: Uint8Array
  amount: bigint
  /** The plan whose pool pays; of DCT only. */
  planCode?: string
  /** An admin pays it: no sender ever does. Of USDT only. */
  isByHand?: boolean
  at: Date
}

/**
 * Makes a payment due. Call it in the transaction that moves the amount into `account.payout(id)`.
 * Repeating it with the same cause and content is harmless and answers the same id.
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
  const made = await tx
    .insertInto('payout')
    .values({ ...values, ...waitOf(payout), plan_code, created_at: payout.at })
    .onConflict((conflict) => conflict.constraint('payout_cause_once').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made !== undefined) return made.id
  const found = await tx
    .selectFrom('payout')
    .select('id')
    .where((eb) => eb.and(values))
    .where('plan_code', 'is not distinct from', plan_code)
    .executeTakeFirst()
  invariant(found !== undefined, `payout ${payout.cause} exists with other content`)
  return found.id
}

function waitOf({ isByHand = false, at }: NewPayout) {
  return isByHand ? { is_by_hand: true, wait_reason: BY_HAND, waiting_since: at } : {}
}

/** The id under which the reward contract pays one part of one claim, once and for ever. */
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

/** A payout by its id. */
export async function getPayout(db: DbOrTx, id: bigint): Promise<Payout> {
  const row = await db
    .selectFrom('payout')
    .select(PAYOUT_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst()
  invariant(row !== undefined, `payout ${id} does not exist`)
  return readPayout(row)
}

export function readPayout(row: {
  id: bigint
  chain: Chain
  asset: 'DCT' | 'USDT'
  cause: string
  payout_key: Buffer
  to_address: Buffer
  amount: bigint
  plan_code: string | null
}): Payout {
  const { id, chain, asset, cause, amount } = row
  const payoutKey = hexOf(row.payout_key)
  return {
    id,
    chain,
    asset,
    cause,
    payoutKey,
    to: hexOf(row.to_address),
    amount,
    planCode: row.plan_code,
  }
}
