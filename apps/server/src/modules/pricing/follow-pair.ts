import { NodeUnavailable } from '@dct/chain-clients'
import { clearAlarm, raiseAlarm } from '../../platform/alarms/alarms.ts'
import { type Clock, DAY_MS, msSince } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { insertChange, lockSettings } from '../proposals/index.ts'
import { formatPrice } from './money-settings.ts'
import { type PriceSample, windowPrice, withinStep } from './pair-price.ts'
import {
  insertSample,
  lastOfAdmins,
  latestPrice,
  latestSampleAt,
  type PriceRow,
  priceAt,
  samplesSince,
} from './pricing.queries.ts'

/** How the price is derived from a pair of DCT and USDT. Prices have 8 decimals. */
export type PairRules = {
  windowMs: number
  /** Prices of the pair outside of these bounds are rejected. */
  minimum: bigint
  maximum: bigint
  /** The maximum change of the price per day through the pair. */
  stepBps: bigint
  /** The minimum liquidity of the pair, in whole USDT. Below it, manipulating its price is too cheap. */
  leastUsdt: bigint
}

/** A reading of the pair at one final block; `usdt` in whole USDT. */
export type PairReading = PriceSample & { block: bigint; usdt: bigint }

export type FollowPairDeps = {
  db: Db
  /** Business time, which block timestamps use as well. */
  clock: Clock
  rules: PairRules
  priceMaxAgeMs: number
  /** @throws NodeUnavailable */
  readPair(): Promise<PairReading>
  /** Interval between two samples, in milliseconds of real time. */
  pauseMs: number
}

const ALARM = { kind: 'price.source', subject: 'pair' } as const
const BOUNDED = { kind: 'price.bounded', subject: 'pair' } as const
const MINUTE_MS = 60_000
/** Older samples and blocks no longer reflect the current price. */
const STALE_MS = 10 * MINUTE_MS
const HOUR_MS = 60 * MINUTE_MS
/** A smaller change is not applied until the price is an hour old. */
const LEAST_CHANGE_BPS = 50n

/**
 * Derives the price of DCT from a pair on chain: the time-weighted median of samples at final blocks, within the
 * configured bounds and at most one step per day. If the pair cannot be trusted, the last price remains until it
 * expires, and an alarm is raised. A price set by an admin remains until an hour before it expires.
 */
export function createPairLoop(deps: FollowPairDeps): Loop {
  const { db, clock, pauseMs } = deps
  return {
    ...{ name: 'pair price', pauseMs },
    async step() {
      const doubt = await takeSample(deps)
      const at = clock.now()
      await inTransaction(db, async (tx) => {
        await lockSettings(tx)
        const message = doubt ?? (await followPair(deps, tx, at))
        if (message === undefined) await clearAlarm(tx, { ...ALARM, at })
        else
          await raiseAlarm(tx, {
            ...ALARM,
            message: `${message} The last price remains in force.`,
            at,
          })
      })
      return true
    },
  }
}

/** @returns why the pair cannot be trusted now; undefined if it can, or if only a single sample is missing */
async function takeSample({
  db,
  clock,
  rules,
  readPair,
}: FollowPairDeps): Promise<string | undefined> {
  try {
    const reading = await readPair()
    if (reading.usdt < rules.leastUsdt) {
      return `The pair holds ${reading.usdt} USDT, less than ${rules.leastUsdt}.`
    }
    const ageMs = clock.now().getTime() - reading.at.getTime()
    if (ageMs >= STALE_MS) {
      return `The latest final block is ${Math.round(ageMs / MINUTE_MS)} minutes old.`
    }
    await insertSample(db, reading)
    return undefined
  } catch (error) {
    if (!(error instanceof NodeUnavailable)) throw error
    const newest = await latestSampleAt(db)
    return msSince(newest, clock.now()) < STALE_MS
      ? undefined
      : `The pair cannot be read: ${error.message}.`
  }
}

/** Sets the price if the pair yields a new one. @returns why the pair cannot be trusted; undefined if it can */
async function followPair(
  { rules, priceMaxAgeMs }: FollowPairDeps,
  tx: Tx,
  now: Date,
): Promise<string | undefined> {
  const { windowMs, minimum, maximum } = rules
  const samples = await samplesSince(tx, new Date(now.getTime() - windowMs))
  const found = windowPrice(samples, { now, windowMs })
  // During the first half window after the first start.
  if (found === undefined) return undefined
  if (found < minimum || found > maximum) {
    return `The pair's price, ${formatPrice(found)}, is not between ${formatPrice(minimum)} and ${formatPrice(maximum)}.`
  }
  const latest = await latestPrice(tx, now)
  const isAdmins = latest !== undefined && latest.setBy !== null
  if (isAdmins && now.getTime() < latest.at.getTime() + priceMaxAgeMs - HOUR_MS) return undefined
  const price = await boundedPrice(tx, { found, now, stepBps: rules.stepBps })
  if (latest === undefined || isWorthSetting(latest, price, now)) {
    await insertChange(tx, { kind: 'price', value: price, isFromPair: true, at: now })
  }
  return undefined
}

async function boundedPrice(tx: Tx, { found, now, stepBps }: Found): Promise<bigint> {
  const dayAgo = new Date(now.getTime() - DAY_MS)
  // For a day, a price set by admins is where the pair's steps are counted from, however often the pair moved it since.
  const from = (await lastOfAdmins(tx, dayAgo)) ?? (await priceAt(tx, dayAgo))
  const price = from === undefined ? found : withinStep(found, from.price, stepBps)
  if (price === found) {
    await clearAlarm(tx, { ...BOUNDED, at: now })
    return price
  }
  const message = `The pair's price, ${formatPrice(found)}, is more than the maximum daily change away from ${formatPrice(from?.price ?? found)}: ${formatPrice(price)} is used. If the market has moved, an admin may set the price.`
  await raiseAlarm(tx, { ...BOUNDED, message, at: now })
  return price
}

type Found = { found: bigint; now: Date; stepBps: bigint }

function isWorthSetting(latest: PriceRow, price: bigint, now: Date): boolean {
  if (msSince(latest.at, now) >= HOUR_MS) return true
  const change = price > latest.price ? price - latest.price : latest.price - price
  return change * 10_000n >= latest.price * LEAST_CHANGE_BPS
}
