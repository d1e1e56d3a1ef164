import { PLANS_ERRORS } from '@dct/api-contract/errors/plans'
import { type Bps, formatAmount, parseAmount } from '@dct/money'
import { parsePercentage } from '@dct/rules/percentages'
import { rewardOf } from '@dct/rules/quota'
import { refusalOf } from '../../shared/i18n/refusals.ts'
import {
  compareDecimals,
  decimalProblem,
  readDecimal,
  scaleDecimal,
  toFixedDecimal,
} from '../../shared/lib/decimal.ts'
import { JOIN_REFUSALS, JOIN_WORDING } from './join-plan.texts.ts'

const SHOWN_DECIMALS = 6
const RATE_DECIMALS = 2
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
  const rate = readRate(totalPercentage)
  if (rate === undefined || durationDays === undefined) return JOIN_WORDING.invalidPlan
  const estimate = estimateReward(amount, rate)
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
  const rate = readRate(totalPercentage)
  if (rate === undefined || rate === 0n) return undefined
  const isAnnual = compareDecimals(remainingAnnual, remainingDaily) < 0
  const reward = isAnnual ? remainingAnnual : remainingDaily
  const amount = scaleDecimal(reward, { numerator: 10_000n, denominator: rate }, SHOWN_DECIMALS)
  return { amount, by: isAnnual ? 'annual' : 'daily' }
}

/** The whole reward of an amount, as the contract calculates it. */
function estimateReward(amount: string, rate: Bps): string {
  return formatAmount('DCT', rewardOf(parseAmount('DCT', shown(amount)), rate))
}

function readRate(percentage: string | undefined): Bps | undefined {
  if (percentage === undefined || !PLAIN_NUMBER.test(percentage)) return undefined
  return parsePercentage(toFixedDecimal(percentage, RATE_DECIMALS) ?? percentage)
}

function shown(amount: string): string {
  return toFixedDecimal(amount, SHOWN_DECIMALS) ?? amount
}
