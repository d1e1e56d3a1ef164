import { randomInt } from 'node:crypto'
import type { Usdt } from '@dct/money'
import { add } from '@dct/money'
import { nextCent, TAILS_PER_CENT, tailAt } from '@dct/rules/fees'
import { type RawBuilder, sql } from 'kysely'
import type { DbOrTx, Tx } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'
import { own } from './claims.tables.ts'

const RANDOM_TRIES = 8
const MAX_CENTS = 1_000

/** The cent plus a random tail. The result is nearly always free; `insertClaim` reports whether it was. */
export function drawAmount(cent: Usdt): Usdt {
  return add(cent, tailAt(randomInt(TAILS_PER_CENT)))
}

/** SQL for the payments (`usdt_receipt`, as `r`) that settled no fee. */
const withoutFee = sql`r.state in ('unmatched', 'refunded')`

/**
 * SQL for whether a payment of an amount that settled no fee reached a receiver: it may have been meant for a fee that a
 * restored database has lost, so nobody else is asked for that amount.
 */
export function wasReceived(receiver: Buffer, exact: RawBuilder<unknown>) {
  return sql<boolean>`exists (
    select from usdt_receipt r
    where ${withoutFee} and r.amount = ${exact} and r.to_address = ${receiver})`
}

/**
 * Finds an exact payment amount that no open fee, no fee of the last 90 days and no payment without a fee uses: the cent
 * plus a random tail, or the next cent if all tails are taken. Call `holdAmount` in the same transaction.
 */
export async function findFreeAmount(tx: Tx, fee: { receiver: Buffer; cent: Usdt }): Promise<Usdt> {
  let cent = fee.cent
  for (let step = 0; step < MAX_CENTS; step += 1) {
    for (let attempt = 0; attempt < RANDOM_TRIES; attempt += 1) {
      const exact = drawAmount(cent)
      if (await isFree(tx, fee.receiver, exact)) return exact
    }
    const free = await freeTails(tx, fee.receiver, cent)
    const exact = free[free.length === 0 ? 0 : randomInt(free.length)]
    if (exact !== undefined) return exact
    cent = nextCent(cent)
  }
  invariant(false, 'no free payment amount was found')
}

/** The cent that a fee would get now: its own, or the next one with a free tail. */
export async function findOpenCent(
  db: DbOrTx,
  fee: { receiver: Buffer; cent: Usdt },
): Promise<Usdt> {
  let cent = fee.cent
  for (let step = 0; step < MAX_CENTS; step += 1) {
    const taken = (await takenWithin(db, fee.receiver, cent)).size
    if (taken < TAILS_PER_CENT) return cent
    cent = nextCent(cent)
  }
  invariant(false, 'no free payment amount was found')
}

/** Reserves the amount for a claim. @returns false if another claim has taken it in the meantime */
export async function holdAmount(
  tx: Tx,
  hold: { receiver: Buffer; exact: bigint; claimId: bigint },
): Promise<boolean> {
  const held = await own(tx)
    .insertInto('amount_hold')
    .values({ receiver: hold.receiver, exact_amount: hold.exact, claim_id: hold.claimId })
    .onConflict((conflict) => conflict.constraint('amount_held_once').doNothing())
    .executeTakeFirst()
  return (held.numInsertedOrUpdatedRows ?? 0n) > 0n
}

async function isFree(tx: Tx, receiver: Buffer, exact: bigint): Promise<boolean> {
  const { rows } = await sql<{ isTaken: boolean }>`
    select exists (select from amount_hold where receiver = ${receiver} and exact_amount = ${exact})
      or ${wasReceived(receiver, sql`${exact}::numeric`)} as "isTaken"`.execute(tx)
  return rows[0]?.isTaken === false
}

async function freeTails(tx: Tx, receiver: Buffer, cent: Usdt): Promise<Usdt[]> {
  const taken = await takenWithin(tx, receiver, cent)
  return Array.from({ length: TAILS_PER_CENT }, (_, index) => add(cent, tailAt(index))).filter(
    (exact) => !taken.has(exact),
  )
}

/** The amounts of a cent that are not given out. */
async function takenWithin(db: DbOrTx, receiver: Buffer, cent: Usdt): Promise<ReadonlySet<bigint>> {
  const { rows } = await sql<{ exact: bigint }>`
    select exact_amount as exact from amount_hold
    where receiver = ${receiver} and exact_amount > ${cent} and exact_amount < ${nextCent(cent)}
    union
    select r.amount from usdt_receipt r
    where ${withoutFee} and r.to_address = ${receiver}
      and r.amount > ${cent} and r.amount < ${nextCent(cent)}`.execute(db)
  return new Set(rows.map(({ exact }) => exact))
}
