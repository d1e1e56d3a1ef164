import { formatUnits, parseUnits } from '@dct/money'
import { PRICE_DECIMALS } from '@dct/rules/constants'
import { type Clock, DAY_MS, msSince } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import {
  findProposal,
  insertPrice,
  latestPrice,
  lockPrices,
  type PriceRow,
  pricesInSum,
  replaceProposal,
} from './pricing.queries.ts'

/** How long a proposal waits for the second admin. */
export const PROPOSAL_LIFE_MS = DAY_MS
/** Price changes within this time add up, across all admins. */
const STEP_WINDOW_MS = DAY_MS

export type PriceBounds = {
  /** 8 decimals. */
  minimum: bigint
  maximum: bigint
  /** The maximum change within `STEP_WINDOW_MS` by admins acting alone, all changes added up. */
  maxStepBps: bigint
}

export type SetPriceDeps = {
  db: Db
  clock: Clock
  priceBounds: PriceBounds
  recordAdminAction: RecordAdminAction
  /** Whether there is another admin besides this one. */
  hasOtherAdmin(db: DbOrTx, asked: { adminId: bigint; at: Date }): Promise<boolean>
}
export type SetPriceInput = { price: bigint; admin: { id: bigint; address: Buffer } }

/**
 * Sets the price of DCT. If there is another admin, admins acting alone may change it by at most the maximum step
 * within a day, all changes added up; a larger change waits until another admin sends the same price within a day.
 * @returns whether the price is set; false if it waits for another admin
 * @throws Refusal `PRICE_OUT_OF_BOUNDS`
 */
export async function setPrice(
  deps: SetPriceDeps,
  { price, admin }: SetPriceInput,
): Promise<boolean> {
  const { db, clock, priceBounds, recordAdminAction } = deps
  const { minimum, maximum } = priceBounds
  if (price < minimum || price > maximum) {
    const facts = { minimum: formatPrice(minimum), maximum: formatPrice(maximum) }
    const message = `The price must be between ${facts.minimum} and ${facts.maximum} USDT.`
    throw new Refusal('PRICE_OUT_OF_BOUNDS', facts, message)
  }
  return inTransaction(db, async (tx) => {
    await lockPrices(tx)
    const at = clock.now()
    const before = await latestPrice(tx, at)
    const room = await roomOf(deps, tx, { adminId: admin.id, at })
    const needsTwo = room !== undefined && (price < room.lowest || price > room.highest)
    const proposer = needsTwo ? await otherProposerOf(tx, { price, at, admin }) : undefined
    const isSet = !needsTwo || proposer !== undefined
    if (isSet) {
      const setBy = proposer ?? admin.address
      const confirmedBy = proposer === undefined ? null : admin.address
      await insertPrice(tx, { price, at, setBy, confirmedBy })
    } else {
      await replaceProposal(tx, { price, at, proposedBy: admin.address })
    }
    await recordAdminAction(tx, {
      adminId: admin.id,
      action: isSet ? 'price.set' : 'price.propose',
      subject: 'DCT',
      before: before === undefined ? null : { price: formatPrice(before.price) },
      after: { price: formatPrice(price) },
      at,
    })
    return isSet
  })
}

/** The address of another admin who has recently proposed exactly this price. */
async function otherProposerOf(
  tx: Tx,
  step: PriceRow & { admin: SetPriceInput['admin'] },
): Promise<Buffer | undefined> {
  const proposal = await findProposal(tx)
  if (proposal === undefined || proposal.price !== step.price) return undefined
  const isAlive = msSince(proposal.at, step.at) < PROPOSAL_LIFE_MS
  const isOther = !proposal.proposedBy.equals(step.admin.address)
  return isAlive && isOther ? proposal.proposedBy : undefined
}

/**
 * The range in which one admin may set the next price alone. Undefined if there is no limit: there is no price yet, or
 * no other admin.
 */
export async function roomOf(
  { priceBounds, hasOtherAdmin }: Pick<SetPriceDeps, 'priceBounds' | 'hasOtherAdmin'>,
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

/** Sets the first price from the installation's settings. Does nothing if there is a price. */
export async function ensurePrice(
  { db, clock }: { db: Db; clock: Clock },
  price: bigint,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockPrices(tx)
    const at = clock.now()
    if ((await latestPrice(tx, at)) !== undefined) return
    await insertPrice(tx, { price, at, setBy: null, confirmedBy: null })
  })
}

/** Reads a price from a request: a decimal above 0 with at most 8 decimals. @throws Refusal `PRICE_INVALID` */
export function readPrice(input: string | number): bigint {
  let price = 0n
  try {
    price = parseUnits(String(input), PRICE_DECIMALS)
  } catch {
    throw new Refusal('PRICE_INVALID')
  }
  if (price === 0n) throw new Refusal('PRICE_INVALID')
  return price
}

export function formatPrice(price: bigint): string {
  return formatUnits(price, PRICE_DECIMALS, PRICE_DECIMALS)
}
