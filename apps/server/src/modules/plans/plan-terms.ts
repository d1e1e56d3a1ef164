import { type CheckPlanBody, PLAN_CODE_PATTERN, type UpdatePlanBody } from '@dct/api-contract/plans'
import type { Bps, Dct } from '@dct/money'
import { formatPercentage, parsePercentage } from '@dct/rules/percentages'
import { readAmount } from '../../platform/amounts.ts'
import { Refusal } from '../../platform/errors.ts'

export type PlanTerms = {
  code: string
  name: string
  totalReward: Dct
  durationDays: number
  rate: Bps
  dailyLimit: Dct
  isActive: boolean
  isAccumulating: boolean
}

/** Whether a text is a valid plan code. */
export function isPlanCode(text: string): boolean {
  return new RegExp(PLAN_CODE_PATTERN).test(text)
}

const MAX_NAME_LENGTH = 100
/** Upper limits for any plan; the limits of the contract's owner are stricter. */
const MAX_DURATION_DAYS = 36_500
const MAX_RATE_BPS = 1_000_000n
const MAX_TOTAL_REWARD = 2n ** 96n

/**
 * Reads and checks the terms of a new plan.
 * @throws Refusal `PLAN_NAME_REQUIRED`, `BAD_AMOUNT`, `PLAN_TERMS_INVALID` with the field
 */
export function readPlanTerms(body: CheckPlanBody, dctDecimals: number): PlanTerms {
  if (!isPlanCode(body.plan_code)) {
    throw invalid('plan_code', 'must have 1 to 32 capital letters, digits or hyphens')
  }
  const totalReward = readAmount('DCT', body.total_reward, {
    field: 'total_reward',
    decimals: dctDecimals,
  })
  if (totalReward === 0n || totalReward >= MAX_TOTAL_REWARD) {
    throw invalid('total_reward', 'must be greater than 0 and within what the contract can hold')
  }
  if (body.duration_days < 1 || body.duration_days > MAX_DURATION_DAYS) {
    throw invalid('duration_days', `must be a whole number from 1 to ${MAX_DURATION_DAYS}`)
  }
  return {
    code: body.plan_code,
    name: readPlanName(body.name),
    totalReward,
    durationDays: body.duration_days,
    rate: readRate(body.total_percentage),
    dailyLimit: readDailyLimit(body.daily_limit, dctDecimals),
    isActive: body.is_active,
    isAccumulating: body.is_accumulation_active,
  }
}

/** The reward contract's terms for a plan code. */
export type TermsOnChain = {
  /** The owner's limits: the maximum reward per day in basis points of the amount, and the minimum duration. */
  limits: { maxDailyBps: number; minDurationDays: number }
  /** The terms under which the plan was opened, which never change; undefined when it never was. */
  fixed: { durationDays: number; totalBps: Bps } | undefined
}

const DEMAND = "as the contract's owner requires"

/** @throws Refusal `PLAN_TERMS_INVALID` when the contract would not open a plan under these terms */
export function refuseTerms({ limits, fixed }: TermsOnChain, terms: PlanTerms): void {
  const { code, durationDays, rate } = terms
  if (durationDays < limits.minDurationDays) {
    throw invalid('duration_days', `must be at least ${limits.minDurationDays}, ${DEMAND}`)
  }
  const highest = BigInt(durationDays) * BigInt(limits.maxDailyBps)
  if (rate > highest) {
    const percentage = formatPercentage(highest)
    throw invalid(
      'total_percentage',
      `must be at most ${percentage} for ${durationDays} days, ${DEMAND}`,
    )
  }
  if (fixed && (fixed.durationDays !== durationDays || fixed.totalBps !== rate)) {
    const percentage = formatPercentage(fixed.totalBps)
    const opened = `was opened on chain for ${fixed.durationDays} days at ${percentage} %`
    throw invalid('plan_code', `must be different: ${code} ${opened}`)
  }
}

/** The changes that an admin requests; fields left out remain as they are. */
export type WantedChange = {
  name?: string
  dailyLimit?: Dct
  isActive?: boolean
  isAccumulating?: boolean
}

/** @throws Refusal `PLAN_NAME_REQUIRED`, `BAD_AMOUNT`, `PLAN_TERMS_INVALID` */
export function readPlanChange(body: UpdatePlanBody, dctDecimals: number): WantedChange {
  return {
    ...(body.name === undefined ? {} : { name: readPlanName(body.name) }),
    ...(body.daily_limit === undefined
      ? {}
      : { dailyLimit: readDailyLimit(body.daily_limit, dctDecimals) }),
    ...(body.is_active === undefined ? {} : { isActive: body.is_active }),
    ...(body.is_accumulation_active === undefined
      ? {}
      : { isAccumulating: body.is_accumulation_active }),
  }
}

function readPlanName(text: string): string {
  const name = text.trim()
  if (name === '') throw new Refusal('PLAN_NAME_REQUIRED', { field: 'name' })
  if (name.length > MAX_NAME_LENGTH || /\p{C}/u.test(name)) {
    throw invalid('name', `must have at most ${MAX_NAME_LENGTH} characters, all of them visible`)
  }
  return name
}

function readDailyLimit(input: string | number, dctDecimals: number): Dct {
  const limit = readAmount('DCT', input, { field: 'daily_limit', decimals: dctDecimals })
  if (limit === 0n) throw new Refusal('PLAN_NAME_REQUIRED', { field: 'daily_limit' })
  return limit
}

function readRate(input: string | number): Bps {
  try {
    const rate = parsePercentage(String(input))
    if (rate > 0n && rate <= MAX_RATE_BPS) return rate
  } catch {
    // Not a plain decimal with at most 2 decimals: refused like one out of range.
  }
  throw invalid(
    'total_percentage',
    'must be greater than 0, at most 10000, with at most 2 decimals',
  )
}

function invalid(field: string, why: string): Refusal {
  return new Refusal('PLAN_TERMS_INVALID', { field }, `The field '${field}' ${why}.`)
}
