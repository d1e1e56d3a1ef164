import type { DbOrTx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { latestPrice } from './pricing.queries.ts'

/** How long a price counts as current. */
export type PriceAge = { priceMaxAgeMs: number }

/** USDT for one DCT as a whole number with 8 decimals, and when it was set. */
export type CurrentPrice = { price: bigint; at: Date }

/** The price used to calculate fees. @throws Refusal `PRICE_UNAVAILABLE` if there is none or it is too old */
export async function currentPrice(
  settings: PriceAge,
  db: DbOrTx,
  now: Date,
): Promise<CurrentPrice> {
  const latest = await latestPrice(db, now)
  if (latest === undefined) throw new Refusal('PRICE_UNAVAILABLE')
  if (!isPriceCurrent(settings, latest, now)) {
    throw new Refusal('PRICE_UNAVAILABLE', { set_at: latest.at.toISOString() })
  }
  return latest
}

/** Whether a price is recent enough to calculate fees with. */
export function isPriceCurrent(
  { priceMaxAgeMs }: PriceAge,
  price: CurrentPrice,
  now: Date,
): boolean {
  return now.getTime() < price.at.getTime() + priceMaxAgeMs
}
