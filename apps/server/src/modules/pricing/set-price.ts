import { formatUnits, parseUnits } from '@dct/money'
import { PRICE_DECIMALS } from '@dct/rules/constants'
import type { RecordAdminAction } from '../../platform/admin-actions.ts'
import { type Clock, DAY_MS } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import {
  findProposal,
  insertPrice,
  latestPrice,
  lockPrices,
  type PriceRow,
  replaceProposal,
} from './pricing.queries.ts'

/** How long a large step waits for the second admin. */
export const PROPOSAL_LIFE_MS = DAY_MS

export type PriceBounds = {
  /** 8 decimals. */
  minimum: bigint
  maximum: bigint
  /** The largest step that one admin takes alone. */
  maxStepBps: bigint
}

export type SetPriceDeps = {
  db: Db
  clock: Clock
  priceBounds: PriceBounds
  recordAdminAction: RecordAdminAction
}
export type SetPriceInput = { price: bigint; admin: { id: bigint; address: Buffer } }

/**
 * Sets the price of DCT. A step that is too large for one admin waits until another admin sends the
 * same price within a day.
 * @returns whether the price is set; false when it waits.
 * @throws Refusal `PRICE_OUT_OF_BOUNDS`
 */
export async function setPrice(
  { db, clock, priceBounds, recordAdminAction }: SetPriceDeps,
  { price, admin }: SetPriceInput,
): Promise<boolean> {
  const { minimum, maximum } = priceBounds
  if (price < minimum || price > maximum) {
    const facts = { minimum: spellPrice(minimum), maximum: spellPrice(maximum) }
    const message = `The price must be between ${facts.minimum} and ${facts.maximum} USDT.`
    throw new Refusal('PRICE_OUT_OF_BOUNDS', facts, message)
  }
  return inTransaction(db, async (tx) => {
    await lockPrices(tx)
    const at = clock.now()
    const before = await latestPrice(tx)
    const isLarge = before !== undefined && isLargeStep(before.price, price, priceBounds.maxStepBps)
    const proposer = isLarge ? await otherProposerOf(tx, { price, at, admin }) : undefined
    const isSet = !isLarge || proposer !== undefined
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
      before: before === undefined ? null : { price: spellPrice(before.price) },
      after: { price: spellPrice(price) },
      at,
    })
    return isSet
  })
}

/** The other admin who asked for exactly this price not long ago. */
async function otherProposerOf(
  tx: Tx,
  step: PriceRow & { admin: SetPriceInput['admin'] },
): Promise<Buffer | undefined> {
  const proposal = await findProposal(tx)
  if (proposal === undefined || proposal.price !== step.price) return undefined
  const isAlive = step.at.getTime() < proposal.at.getTime() + PROPOSAL_LIFE_MS
  const isOther = !proposal.proposedBy.equals(step.admin.address)
  return isAlive && isOther ? proposal.proposedBy : undefined
}

function isLargeStep(before: bigint, after: bigint, maxStepBps: bigint): boolean {
  const step = after > before ? after - before : before - after
  return step * 10_000n > before * maxStepBps
}

/** Sets a first price from the installation's settings. Nothing happens when there is one. */
export async function ensurePrice(
  { db, clock }: { db: Db; clock: Clock },
  price: bigint,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockPrices(tx)
    if ((await latestPrice(tx)) !== undefined) return
    await insertPrice(tx, { price, at: clock.now(), setBy: null, confirmedBy: null })
  })
}

/** Reads a price of a request: a decimal above 0 with at most 8 decimals. @throws Refusal `PRICE_INVALID` */
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

export function spellPrice(price: bigint): string {
  return formatUnits(price, PRICE_DECIMALS, PRICE_DECIMALS)
}
