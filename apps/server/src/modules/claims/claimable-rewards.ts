import { ERRORS, type ErrorCode } from '@dct/api-contract/errors'
import { amount, type Dct, formatAmount, parseAmount, type Usdt } from '@dct/money'
import { CLAIM_MIN_DCT } from '@dct/rules/constants'
import { byClaimKind, claimWorth, feeParts, nextCent, splitClaim } from '@dct/rules/fees'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { type ClaimableEarning, feeUntil, listClaimable } from '../earnings/index.ts'
import { isPriceCurrent, type PriceAge, settingsAndPrice } from '../pricing/index.ts'
import { findOpenCent } from './hold-amount.ts'
import { formatUsdt, serializeFeeParts } from './serialize-claim.ts'

/** The dependencies that determine whether a claim is possible. */
export type ClaimRuleDeps = PriceAge & { db: Db; clock: Clock; dctDecimals: number }

export type ClaimableDeps = ClaimRuleDeps & {
  /** The address that receives fees, 20 bytes. */
  feeReceiver: Buffer
}

/** What a holder can claim now, what it would cost and, if it cannot be claimed, why. */
export async function describeClaimable(deps: ClaimableDeps, staker: Buffer) {
  const now = deps.clock.now()
  const minimumClaim = minimumOf(deps)
  const earnings = await listClaimable(deps.db, { staker, now, minimumClaim })
  if (earnings.length === 0) return []
  const basis = await feeBasis(deps, now)
  return Promise.all(earnings.map((earning) => describeOne(deps, earning, basis)))
}

/** In how many plans a holder can claim now. */
export async function countClaimable(deps: ClaimRuleDeps, staker: Buffer): Promise<number> {
  const now = deps.clock.now()
  const earnings = await listClaimable(deps.db, { staker, now, minimumClaim: minimumOf(deps) })
  if (earnings.length === 0) return 0
  const { price } = await feeBasis(deps, now)
  return earnings.filter((earning) => refusalOf(deps, earning, price) === undefined).length
}

async function feeBasis(deps: ClaimRuleDeps, now: Date): Promise<FeeBasis> {
  const { price, energyFee } = await settingsAndPrice(deps.db, now)
  const isCurrent = price !== undefined && isPriceCurrent(deps, price, now)
  return { price: isCurrent ? price.price : undefined, energyFee }
}

type FeeBasis = { price: bigint | undefined; energyFee: Usdt }

async function describeOne(deps: ClaimableDeps, earning: ClaimableEarning, basis: FeeBasis) {
  const claimed = amount('DCT', earning.amount)
  const dct = (base: bigint) => formatAmount('DCT', base, deps.dctDecimals)
  const refusal = refusalOf(deps, earning, basis.price)
  return {
    earning_plan_code: earning.planCode,
    total_claimable: dct(claimed),
    ...(await describeFee(deps, earning, basis)),
    parts: byClaimKind((kind) => {
      const { now, later } = splitClaim(claimed, kind)
      return { now_amount: dct(now), later_amount: dct(later) }
    }),
    has_open_fee: earning.hasOpenFee,
    can_claim: refusal === undefined,
    refusal_code: refusal ?? null,
    refusal_text: refusal === undefined ? null : ERRORS[refusal].message,
    first_cycle: earning.firstCycle,
    last_cycle: earning.lastCycle,
    is_after_end: earning.isAfterEnd,
    end_date: earning.endsAt.toISOString(),
    claim_until: earning.claimUntil.toISOString(),
    fee_until: feeUntil(earning.endsAt).toISOString(),
    claimable_from: earning.claimableFrom,
    unpaid_lapses_from: earning.unpaidLapsesFrom,
  }
}

async function describeFee(
  deps: ClaimableDeps,
  earning: ClaimableEarning,
  { price, energyFee }: FeeBasis,
) {
  const { dctDecimals, feeReceiver: receiver } = deps
  const input = {
    claimed: amount('DCT', earning.amount),
    dctDecimals,
    price: price ?? 0n,
    energyFee,
  }
  const parts = feeParts(input)
  const cent = await findOpenCent(deps.db, { receiver, cent: parts.cent })
  const estimate = price === undefined ? amount('USDT', 0n) : nextCent(cent)
  const worth = claimWorth(input, estimate)
  return {
    estimated_fee_usdt: formatUsdt(estimate),
    is_fee_known: price !== undefined,
    ...serializeFeeParts(deps, { ...parts, price: input.price }),
    value_usdt: formatUsdt(worth.value),
    net_usdt: formatUsdt(worth.net),
    costs_more_than_it_brings: worth.costsMoreThanItBrings,
  }
}

function refusalOf(
  deps: ClaimRuleDeps,
  earning: ClaimableEarning,
  price: bigint | undefined,
): ErrorCode | undefined {
  if (earning.hasOpenFee) return 'CLAIM_FEE_OPEN'
  if (earning.amount < minimumOf(deps) && !earning.isAfterEnd) return 'BELOW_MINIMUM_CLAIM'
  return price === undefined ? 'PRICE_UNAVAILABLE' : undefined
}

/** The least amount of a claim before the end of its stake. */
export function minimumOf({ dctDecimals }: Pick<ClaimRuleDeps, 'dctDecimals'>): Dct {
  return parseAmount('DCT', CLAIM_MIN_DCT, dctDecimals)
}
