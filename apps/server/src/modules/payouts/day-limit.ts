import {
  addDays,
  type BusinessDay,
  businessDayOf,
  startOfBusinessDay,
} from '@dct/rules/business-day'
import { realClock } from '../../platform/clock.ts'
import type { DbOrTx } from '../../platform/database/db.ts'
import { type Chain, own } from './payouts.tables.ts'

/** A payment would exceed the daily limit. Nothing was signed. */
export class DayLimitReached extends Error {
  override name = 'DayLimitReached'
}

/**
 * Requires that signing a payment stays within the limit of the current business day (in real time, like signing
 * itself). A payment counts on each day on which a transaction for it was signed, whichever key signed it, unless that
 * transaction can never take effect. To be exact while several processes sign, call it under the sender's lock.
 * @param payment `amount` and `mostPerDay` in base units of the chain's asset
 * @throws DayLimitReached
 */
export async function requireWithinDay(
  db: DbOrTx,
  payment: { chain: Chain; amount: bigint; mostPerDay: bigint },
): Promise<void> {
  const { chain, amount, mostPerDay } = payment
  const signed = await amountSignedOn(db, chain, businessDayOf(realClock.now()))
  if (signed + amount <= mostPerDay) return
  throw new DayLimitReached(
    `Signed today: ${signed}; due: ${amount}; the most on one day: ${mostPerDay}, in base units.`,
  )
}

async function amountSignedOn(db: DbOrTx, chain: Chain, day: BusinessDay): Promise<bigint> {
  const row = await own(db)
    .selectFrom('payout')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<bigint>('amount'), eb.val(0n)).as('amount'))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('send_attempt')
        .select('payout_id')
        .where('chain', '=', chain)
        .where('signed_at', '>=', startOfBusinessDay(day))
        .where('signed_at', '<', startOfBusinessDay(addDays(day, 1)))
        .where('state', '<>', 'expired')
        .where('payout_id', 'is not', null),
    )
    .executeTakeFirstOrThrow()
  return row.amount
}
