import { DAY_MS } from '../../platform/clock.ts'
import type { DbOrTx } from '../../platform/database/db.ts'
import { hasOtherAdmin } from '../auth/index.ts'
import { pricesInSum } from './pricing.queries.ts'

/** Price changes within this time add up, across all admins. */
const STEP_WINDOW_MS = DAY_MS

export type PriceBounds = {
  /** 8 decimals. */
  minimum: bigint
  maximum: bigint
  /** The maximum change within `STEP_WINDOW_MS` by admins acting alone, all changes added up. */
  maxStepBps: bigint
}

/**
 * The range in which one admin may set the next price alone. Undefined if there is no limit: there is no price yet, or
 * no other admin.
 */
export async function roomOf(
  { priceBounds }: { priceBounds: PriceBounds },
  db: DbOrTx,
  asked: { adminId: bigint; at: Date },
): Promise<{ lowest: bigint; highest: bigint } | undefined> {
  const since = new Date(asked.at.getTime() - STEP_WINDOW_MS)
  const prices = await pricesInSum(db, { since, now: asked.at })
  const [start] = prices
  const present = prices.at(-1)
  if (start === undefined || present === undefined) return undefined
  if (!(await hasOtherAdmin(db, asked))) return undefined
  const left = (start * priceBounds.maxStepBps) / 10_000n - movementOf(prices)
  const room = left > 0n ? left : 0n
  return { lowest: present - room, highest: present + room }
}

function movementOf(prices: readonly bigint[]): bigint {
  let movement = 0n
  for (const [index, price] of prices.entries()) {
    const before = prices[index - 1] ?? price
    movement += price > before ? price - before : before - price
  }
  return movement
}
