import {
  type Amount,
  add,
  amount,
  applyRate,
  ceilTo,
  type Dct,
  floorTo,
  smaller,
  type Usdt,
} from '@dct/money'
import { CLAIM_FEE_BPS, PRICE_DECIMALS } from './constants.ts'

export const CLAIM_KINDS = ['FULL', 'HALF'] as const
export type ClaimKind = (typeof CLAIM_KINDS)[number]
export type ClaimParts = { now: Dct; later: Dct }

/** The part of a claim that is sent before its fee is paid, rounded down. */
const SENT_NOW: Readonly<Record<ClaimKind, (claimed: Dct) => bigint>> = {
  FULL: () => 0n,
  HALF: (claimed) => claimed / 2n,
}
const CANCELLABLE: Readonly<Record<ClaimKind, boolean>> = { FULL: true, HALF: false }

/** Whether a claim can be cancelled while its fee is unpaid: only if nothing is sent before the payment. */
export function isCancellable(kind: ClaimKind): boolean {
  return CANCELLABLE[kind]
}

const USDT_DECIMALS = 18
/** Fees are calculated to 6 decimals, as many as every screen shows. */
const FEE_DECIMALS = 6
const MICRO_USDT = 10n ** BigInt(USDT_DECIMALS - FEE_DECIMALS)
export const CENT_USDT = 10n ** BigInt(USDT_DECIMALS - 2)

/** The parts sent now and after the fee is paid; they always add up to the whole. */
export function splitClaim(claimed: Dct, kind: ClaimKind): ClaimParts {
  const now = SENT_NOW[kind](claimed)
  return { now: amount('DCT', now), later: amount('DCT', claimed - now) }
}

/** Builds a value for each kind of claim. */
export function byClaimKind<T>(of: (kind: ClaimKind) => T): Record<ClaimKind, T> {
  return Object.fromEntries(CLAIM_KINDS.map((kind) => [kind, of(kind)])) as Record<ClaimKind, T>
}

export type FeeInput = {
  claimed: Dct
  dctDecimals: number
  /** USDT for one DCT, with `PRICE_DECIMALS` decimals. */
  price: bigint
  energyFee: Usdt
}

export type FeeParts = {
  /** 40 % of the whole claimed amount, in DCT. */
  unpaidFee: Dct
  /** `unpaidFee` in USDT, the base of referral rewards. */
  feeUsdt: Usdt
  energyFee: Usdt
  /** `feeUsdt` plus `energyFee`, rounded up to a cent; the payment amount is this plus a tail. */
  cent: Usdt
  /** The upper limit of the payment amount while this cent has tails left. */
  estimate: Usdt
}

/** The fee of a claim before its tail. The same for FULL and HALF. */
export function feeParts({ claimed, dctDecimals, price, energyFee }: FeeInput): FeeParts {
  const unpaidFee = floorTo(applyRate(claimed, CLAIM_FEE_BPS, 'down'), microUnit(dctDecimals))
  const feeUsdt = dctInUsdt(unpaidFee, dctDecimals, price)
  const cent = ceilTo(add(feeUsdt, energyFee), CENT_USDT)
  return { unpaidFee, feeUsdt, energyFee, cent, estimate: nextCent(cent) }
}

/** The upper limit of a payment amount with this cent, and the cent to use when all its tails are taken. */
export function nextCent(cent: Usdt): Usdt {
  return amount('USDT', cent + CENT_USDT)
}

/** The value of an amount of DCT, rounded down to 6 decimals of USDT. */
export function dctInUsdt(dct: Dct, dctDecimals: number, price: bigint): Usdt {
  const scale = 10n ** BigInt(dctDecimals + PRICE_DECIMALS)
  const base = (dct * price * 10n ** BigInt(USDT_DECIMALS)) / scale
  return floorTo(amount('USDT', base), MICRO_USDT)
}

/** The number of tails per cent: 0.000001 to 0.009999, without those whose sixth decimal is 0. */
export const TAILS_PER_CENT = 9_000

/**
 * The tail with an index from 0 to 8,999. Its sixth decimal is never 0, so an amount truncated by a wallet or an
 * exchange cannot equal another holder's fee.
 * @throws RangeError for any other index
 */
export function tailAt(index: number): Usdt {
  if (!Number.isInteger(index) || index < 0 || index >= TAILS_PER_CENT) {
    throw new RangeError(`No tail has the index ${index}`)
  }
  const micros = Math.floor(index / 9) * 10 + (index % 9) + 1
  return amount('USDT', BigInt(micros) * MICRO_USDT)
}

/** Whether a payment has the digits of a fee, which no amount has by chance that a person types in whole cents. */
export function hasTail(paid: Usdt): boolean {
  const micros = paid / MICRO_USDT
  return paid % MICRO_USDT === 0n && micros % 10n !== 0n
}

export type ClaimWorth = {
  value: Usdt
  cost: Usdt
  /** `value - cost`; negative when the claim costs more than its value. */
  net: bigint
  costsMoreThanItBrings: boolean
}

/** The value of a claim at this price, compared with the most that it can cost. */
export function claimWorth(input: FeeInput, estimate: Usdt): ClaimWorth {
  const value = dctInUsdt(input.claimed, input.dctDecimals, input.price)
  const net = value - estimate
  return { value, cost: estimate, net, costsMoreThanItBrings: net < 0n }
}

/** One millionth of a token, or the smallest unit of a token that has fewer decimals. */
function microUnit(decimals: number): bigint {
  return decimals > FEE_DECIMALS ? 10n ** BigInt(decimals - FEE_DECIMALS) : 1n
}

export type PaidFeeShares = { income: Amount<'USDT'>; energy: Amount<'USDT'>; fee: Amount<'USDT'> }

/**
 * How a payment is booked: the energy fee first; the rest, including rounding and tail, is fee income. `fee` is the
 * part of `feeUsdt` that was actually paid: all of it for an exact payment, less if an admin accepted too little.
 */
export function sharesOfPayment(
  paid: Usdt,
  parts: { feeUsdt: Usdt; energyFee: Usdt },
): PaidFeeShares {
  const energy = smaller(paid, parts.energyFee)
  const income = amount('USDT', paid - energy)
  return { income, energy, fee: smaller(income, parts.feeUsdt) }
}
