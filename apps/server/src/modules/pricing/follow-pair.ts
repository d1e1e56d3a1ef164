import { NodeUnavailable } from '@dct/chain-clients'
import { clearAlarm, raiseAlarm } from '../../platform/alarms.ts'
import { type Clock, DAY_MS } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import type { Loop } from '../../platform/loop.ts'
import { type PriceSample, windowPrice, withinStep } from './pair-price.ts'
import {
  insertPairPrice,
  insertSample,
  latestPrice,
  latestSampleAt,
  lockPrices,
  type PriceRow,
  priceAt,
  samplesSince,
} from './pricing.queries.ts'
import { formatPrice } from './set-price.ts'

/** How a price is taken from a pair of DCT and USDT. Prices have 8 decimals. */
export type PairRules = {
  windowMs: number
  /** Outside of these the pair is not believed. */
  minimum: bigint
  maximum: bigint
  /** How far the pair may move the price within a day. */
  stepBps: bigint
  /** With less USDT in the pair, in whole USDT, moving its price is too cheap. */
  leastUsdt: bigint
}

/** A pair at one final block; `usdt` in whole USDT. */
export type PairReading = PriceSample & { block: bigint; usdt: bigint }

export type FollowPairDeps = {
  db: Db
  /** Business time, which blocks have too. */
  clock: Clock
  rules: PairRules
  priceMaxAgeMs: number
  /** @throws NodeUnavailable */
  readPair(): Promise<PairReading>
  /** Real milliseconds between two samples. */
  pauseMs: number
}

const ALARM = { kind: 'price.source', subject: 'pair' } as const
const BOUNDED = { kind: 'price.bounded', subject: 'pair' } as const
/** Without a sample for so long, the newest ones say nothing of now. */
const MINUTE_MS = 60_000
const STALE_MS = 10 * MINUTE_MS
const HOUR_MS = 60 * MINUTE_MS
/** A smaller change waits, unless the price is an hour old. */
const LEAST_CHANGE_BPS = 50n

/**
 * Takes the price of DCT from a pair on chain: samples of final blocks, their time-weighted median, within the bounds of
 * the settings and at most a step a day. What is in doubt changes nothing: the last price stays until it is too old,
 * with an alarm. A price that an admin set stays until an hour before it would be too old.
 */
export function createPairLoop(deps: FollowPairDeps): Loop {
  const { db, clock, pauseMs } = deps
  return {
    ...{ name: 'pair price', pauseMs },
    async step() {
      const doubt = await takeSample(deps)
      const at = clock.now()
      await inTransaction(db, async (tx) => {
        await lockPrices(tx)
        const message = doubt ?? (await followPair(deps, tx, at))
        if (message === undefined) await clearAlarm(tx, { ...ALARM, at })
        else await raiseAlarm(tx, { ...ALARM, message: `${message} The last price stays.`, at })
      })
      return true
    },
  }
}

/** @returns why the pair cannot be believed now; undefined when it can, or when only one sample is missing */
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
      return `The newest final block is ${Math.round(ageMs / MINUTE_MS)} minutes old.`
    }
    await insertSample(db, reading)
    return undefined
  } catch (error) {
    if (!(error instanceof NodeUnavailable)) throw error
    const newest = await latestSampleAt(db)
    const ageMs = clock.now().getTime() - (newest?.getTime() ?? 0)
    return ageMs < STALE_MS ? undefined : `The pair cannot be read: ${error.message}.`
  }
}

/** Sets the price if the pair has one to set. @returns why it cannot be believed; undefined when it can */
async function followPair(
  { rules, priceMaxAgeMs }: FollowPairDeps,
  tx: Tx,
  now: Date,
): Promise<string | undefined> {
  const { windowMs, minimum, maximum } = rules
  const samples = await samplesSince(tx, new Date(now.getTime() - windowMs))
  const found = windowPrice(samples, { now, windowMs })
  // Half a window after the first start.
  if (found === undefined) return undefined
  if (found < minimum || found > maximum) {
    return `The pair's price, ${formatPrice(found)}, is not between ${formatPrice(minimum)} and ${formatPrice(maximum)}.`
  }
  const latest = await latestPrice(tx)
  const isAdmins = latest !== undefined && latest.setBy !== null
  if (isAdmins && now.getTime() < latest.at.getTime() + priceMaxAgeMs - HOUR_MS) return undefined
  const price = await boundedPrice(tx, { found, latest, now, stepBps: rules.stepBps })
  if (latest === undefined || isWorthSetting(latest, price, now)) {
    await insertPairPrice(tx, { price, at: now })
  }
  return undefined
}

async function boundedPrice(tx: Tx, { found, latest, now, stepBps }: Found): Promise<bigint> {
  const dayAgo = new Date(now.getTime() - DAY_MS)
  // What admins decide is where the pair goes on from.
  const isFresh = latest !== undefined && latest.setBy !== null && latest.at > dayAgo
  const from = isFresh ? latest : await priceAt(tx, dayAgo)
  const price = from === undefined ? found : withinStep(found, from.price, stepBps)
  if (price === found) {
    await clearAlarm(tx, { ...BOUNDED, at: now })
    return price
  }
  const message = `The pair's price, ${formatPrice(found)}, is further than a day allows from ${formatPrice(from?.price ?? found)}: ${formatPrice(price)} is used. If the market has moved, an admin may set the price.`
  await raiseAlarm(tx, { ...BOUNDED, message, at: now })
  return price
}

type Found = { found: bigint; latest: LatestPrice | undefined; now: Date; stepBps: bigint }
type LatestPrice = PriceRow & { setBy: Buffer | null }

function isWorthSetting(latest: PriceRow, price: bigint, now: Date): boolean {
  if (now.getTime() - latest.at.getTime() >= HOUR_MS) return true
  const change = price > latest.price ? price - latest.price : latest.price - price
  return change * 10_000n >= latest.price * LEAST_CHANGE_BPS
}
