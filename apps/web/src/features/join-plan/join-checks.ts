import { PLANS_ERRORS } from '@dct/api-contract/errors/plans'
import { refusalOf } from '../../shared/i18n/refusals.ts'
import {
  compareDecimals,
  decimalProblem,
  multiplyDecimals,
  readDecimal,
  scaleDecimal,
  toFixedDecimal,
} from '../../shared/lib/decimal.ts'
import { JOIN_REFUSALS, JOIN_WORDING } from './join-plan.texts.ts'

const SHOWN_DECIMALS = 6
const EXACT_DECIMALS = 30
const PLAIN_NUMBER = /^\d+(\.\d+)?$/

/** What is known when the user presses "Join". `undefined` means not entered, or not sent by the service. */
export type JoinForm = {
  planCode: string
  amount: string
  isFollowed: boolean
  isWalletConnected: boolean
  /** Both inclusive, in DCT. */
  minimum: string
  maximum: string
}

export type JoinTerms = {
  totalPercentage: string | undefined
  durationDays: number | undefined
  remainingDaily: string
  remainingAnnual: string
}

/** Runs the checks that need no request, in the product's order. @returns the first problem's text */
export function findFormProblem(form: JoinForm): string | undefined {
  const amount = readDecimal(form.amount)
  if (form.planCode === '') return JOIN_WORDING.incomplete
  if (amount === undefined) return decimalProblem(form.amount) ?? JOIN_WORDING.incomplete
  if (form.isFollowed) return JOIN_REFUSALS.followed
  if (!form.isWalletConnected) return JOIN_WORDING.noWallet
  if (compareDecimals(amount, '0') <= 0) return JOIN_REFUSALS.notPositive
  const isInRange =
    compareDecimals(amount, form.minimum) >= 0 && compareDecimals(amount, form.maximum) <= 0
  return isInRange ? undefined : JOIN_REFUSALS.outOfRange
}

/** Runs the checks that need the current quota, in the product's order. @returns the first problem's text */
export function findQuotaProblem(amount: string, terms: JoinTerms): string | undefined {
  const { remainingDaily, remainingAnnual, totalPercentage, durationDays } = terms
  if (compareDecimals(remainingDaily, '0') <= 0) return JOIN_REFUSALS.dailyGone
  if (compareDecimals(remainingAnnual, '0') <= 0) return JOIN_REFUSALS.annualGone
  const hasRate = totalPercentage !== undefined && PLAIN_NUMBER.test(totalPercentage)
  if (!hasRate || durationDays === undefined) return JOIN_WORDING.invalidPlan
  const estimate = estimateReward(amount, totalPercentage)
  const exceeded = (refusal: QuotaRefusal, quota: string) =>
    refusalOf(PLANS_ERRORS, refusal, { estimate, quota: shown(quota) })
  if (compareDecimals(estimate, remainingDaily) > 0) {
    return exceeded('DAILY_QUOTA_EXCEEDED', remainingDaily)
  }
  if (compareDecimals(estimate, remainingAnnual) > 0) {
    return exceeded('ANNUAL_QUOTA_EXCEEDED', remainingAnnual)
  }
  return durationDays > 0 ? undefined : JOIN_WORDING.noDuration
}

type QuotaRefusal = 'DAILY_QUOTA_EXCEEDED' | 'ANNUAL_QUOTA_EXCEEDED'

/** How much DCT fits into both quotas, and which of them leaves less. @returns undefined without a rate */
export function roomOf({
  totalPercentage,
  remainingDaily,
  remainingAnnual,
}: Omit<JoinTerms, 'durationDays'>): { amount: string; by: 'daily' | 'annual' } | undefined {
  if (totalPercentage === undefined || !PLAIN_NUMBER.test(totalPercentage)) return undefined
  const rate = BigInt(multiplyDecimals(totalPercentage, '100', 0))
  if (rate === 0n) return undefined
  const isAnnual = compareDecimals(remainingAnnual, remainingDaily) < 0
  const reward = isAnnual ? remainingAnnual : remainingDaily
  const amount = scaleDecimal(reward, { numerator: 10_000n, denominator: rate }, SHOWN_DECIMALS)
  return { amount, by: isAnnual ? 'annual' : 'daily' }
}

/** amount * percentage / 100, truncated to six decimals as the contract does. */
export function estimateReward(amount: string, totalPercentage: string): string {
  const hundredfold = multiplyDecimals(amount, totalPercentage, EXACT_DECIMALS)
  return scaleDecimal(hundredfold, { numerator: 1n, denominator: 100n }, SHOWN_DECIMALS)
}

function shown(quota: string): string {
  return toFixedDecimal(quota, SHOWN_DECIMALS) ?? quota
}
