import type { RatePreviewReply } from '@dct/api-contract/reports'
import { amount, applyRate, type Bps, floorTo, formatAmount } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { formatPercentage } from '@dct/rules/percentages'
import { type Clock, DAY_MS } from '../../platform/clock.ts'
import type { DbOrTx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { downlineFigures, needsSecondAdmin } from '../referrals/index.ts'
import {
  feesBelow,
  highestAbove,
  type PaidBelow,
  placeOf,
  ratedBelow,
} from './rate-preview.queries.ts'

const LOOK_BACK_DAYS = 30
/** At most this many payers are read, those with the highest fees first. */
const MOST_PAYERS = 20_000
const MOST_EXAMPLES = 5
const MICRO_USDT = 10n ** 12n

export type PreviewRateDeps = {
  db: DbOrTx
  clock: Clock
  /** A raise above this needs two admins, if there are two. */
  secondApprovalRateBps: Bps
}

/**
 * Previews a percentage: its cost based on the fees of the last 30 days, the users affected, and the users below who
 * would leave this user without a share. Changes nothing.
 * @throws Refusal `NOT_FOUND`, `OWN_PERCENTAGE`
 */
export async function previewRate(
  deps: PreviewRateDeps,
  { userId, rateBps, adminId }: { userId: bigint; rateBps: Bps; adminId: bigint },
): Promise<RatePreviewReply> {
  const { db, clock } = deps
  const place = await placeOf(db, userId)
  if (place === undefined) throw new Refusal('NOT_FOUND')
  const at = clock.now()
  const since = new Date(at.getTime() - LOOK_BACK_DAYS * DAY_MS)
  const wish = { userId, adminId, before: place.rateBps, rateBps, at }
  const needsSecond = await needsSecondAdmin(deps, db, wish)
  const [figures, above, paid, rated] = await Promise.all([
    downlineFigures(db, [userId]),
    highestAbove(db, userId),
    feesBelow(db, place, { since, most: MOST_PAYERS }),
    ratedBelow(db, place, { atLeast: rateBps, most: MOST_EXAMPLES }),
  ])
  const before = sharesOf(paid, { own: place.rateBps, above })
  const after = sharesOf(paid, { own: rateBps, above })
  return {
    old_percentage: formatPercentage(place.rateBps),
    new_percentage: formatPercentage(rateBps),
    users_below: figures.get(userId)?.members ?? 0,
    fees: {
      since: since.toISOString(),
      payers: paid.length,
      total_usdt: usdt(paid.reduce((sum, { fees }) => sum + fees, 0n)),
      is_partial: paid.length === MOST_PAYERS,
    },
    own_share: { before: usdt(before.own), after: usdt(after.own) },
    all_shares: {
      before: usdt(before.all),
      after: usdt(after.all),
      difference: usdt(after.all - before.all),
    },
    needs_second_admin: needsSecond,
    same_or_higher_below: {
      count: rateBps === 0n ? 0 : rated.count,
      examples:
        rateBps === 0n
          ? []
          : rated.examples.map((one) => ({
              tron_address: formatTronAddress(one.address),
              percentage: formatPercentage(one.rateBps),
            })),
    },
  }
}

/**
 * Each user up the line gets the difference to the highest percentage so far, so together they get the highest of all.
 */
function sharesOf(paid: readonly PaidBelow[], rates: { own: Bps; above: Bps }) {
  let own = 0n
  let all = 0n
  for (const { fees, highestBelow } of paid) {
    if (rates.own > highestBelow) own += shareOf(fees, rates.own - highestBelow)
    all += shareOf(fees, highest(highestBelow, rates.own, rates.above))
  }
  return { own, all }
}

function shareOf(fees: bigint, rateBps: Bps): bigint {
  return floorTo(applyRate(amount('USDT', fees), rateBps, 'down'), MICRO_USDT)
}

function highest(...rates: readonly Bps[]): Bps {
  let most = 0n
  for (const rate of rates) if (rate > most) most = rate
  return most
}

const usdt = (units: bigint) => formatAmount('USDT', units)
