import { type Bps, parseUnits } from '@dct/money'
import { REFERRAL_PERCENTAGE_MAX_BPS } from './constants.ts'

const DECIMALS = 2

export type ReferralPercentage =
  | { rateBps: Bps }
  /** `text`: not a number, or more than 2 decimals. `range`: a number outside 0 to 75. */
  | { problem: 'text' | 'range' }

/** Reads a referral reward percentage: 0 to 75 with at most 2 decimals. Empty means 0. */
export function readReferralPercentage(text: string): ReferralPercentage {
  const typed = text.trim()
  if (typed === '') return { rateBps: 0n }
  const number = /^(-?)(\d{1,30})(\.\d+)?$/.exec(typed)
  if (number === null) return { problem: 'text' }
  const isNegative = number[1] === '-' && /[1-9]/.test(typed)
  if (isNegative || BigInt(number[2] ?? 0) > REFERRAL_PERCENTAGE_MAX_BPS / 100n) {
    return { problem: 'range' }
  }
  try {
    const rateBps = parseUnits(typed.replace(/^-/, ''), DECIMALS)
    return rateBps > REFERRAL_PERCENTAGE_MAX_BPS ? { problem: 'range' } : { rateBps }
  } catch {
    // Too many decimals; a value above 75 is reported as out of range all the same.
    return typed.startsWith('75.') ? { problem: 'range' } : { problem: 'text' }
  }
}
