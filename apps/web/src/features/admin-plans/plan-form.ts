import type { CheckPlanBody, EarningPlan } from '@dct/api-contract/plans'
import { formatUnits, parseUnits, typedText } from '@dct/money'
import { readDecimal, shownDecimal } from '../../shared/lib/decimal.ts'

/** The raw contents of the form's fields. */
export type PlanForm = {
  planCode: string
  name: string
  totalReward: string
  durationDays: string
  totalPercentage: string
  dailyLimit: string
  isAccumulating: boolean
  isActive: boolean
}
export type PlanNumber = 'totalReward' | 'durationDays' | 'totalPercentage' | 'dailyLimit'

export const EMPTY_FORM: PlanForm = {
  planCode: '',
  name: '',
  totalReward: '',
  durationDays: '',
  totalPercentage: '',
  dailyLimit: '',
  isAccumulating: false,
  isActive: true,
}

export function formOf(plan: EarningPlan): PlanForm {
  return {
    planCode: plan.plan_code,
    name: plan.name,
    totalReward: shownDecimal(plan.total_reward),
    durationDays: `${plan.duration_days}`,
    totalPercentage: shownDecimal(plan.total_percentage),
    dailyLimit: shownDecimal(plan.daily_limit),
    isAccumulating: plan.is_accumulation_active,
    isActive: plan.is_active,
  }
}

/**
 * A body with its numbers parsed. Otherwise the problem: `incomplete` without a name or a daily limit, or the field
 * that is not a number.
 */
export type ReadForm =
  | { body: CheckPlanBody & Record<'total_reward' | 'total_percentage' | 'daily_limit', number> }
  | { problem: 'incomplete' | PlanNumber }

/** What may stand beside each number. */
export const UNITS: Readonly<Record<PlanNumber, string>> = {
  totalReward: 'DCT',
  durationDays: '',
  totalPercentage: '%',
  dailyLimit: 'DCT',
}

const NUMBERS: readonly PlanNumber[] = [
  'totalReward',
  'durationDays',
  'totalPercentage',
  'dailyLimit',
]

/** Parses the form: amounts and the percentage as floats, the duration as an integer. */
export function readPlanForm(form: PlanForm): ReadForm {
  if (form.name.trim() === '' || form.dailyLimit.trim() === '') return { problem: 'incomplete' }
  const wrong = NUMBERS.find((field) => plainNumberOf(form, field) === undefined)
  if (wrong !== undefined) return { problem: wrong }
  const floatOf = (field: PlanNumber) => Number.parseFloat(plainNumberOf(form, field) ?? '')
  return {
    body: {
      plan_code: typedText(form.planCode),
      name: typedText(form.name),
      total_reward: floatOf('totalReward'),
      duration_days: Math.trunc(floatOf('durationDays')),
      total_percentage: floatOf('totalPercentage'),
      daily_limit: floatOf('dailyLimit'),
      is_accumulation_active: form.isAccumulating,
      is_active: form.isActive,
    },
  }
}

/** A typed number that is not negative, as a plain decimal; otherwise undefined. */
function plainNumberOf(form: PlanForm, field: PlanNumber): string | undefined {
  const number = readDecimal(form[field], UNITS[field])
  return number?.startsWith('-') ? undefined : number
}

const PERCENTAGE_DECIMALS = 2

/** How much can be locked in total: total reward * 100 / total percentage. Undefined while the fields are not valid. */
export function maxTokenOf(form: PlanForm, tokenDecimals: number): string | undefined {
  try {
    const reward = parseUnits(plainNumberOf(form, 'totalReward') ?? '', tokenDecimals)
    const rate = parseUnits(plainNumberOf(form, 'totalPercentage') ?? '', PERCENTAGE_DECIMALS)
    return rate === 0n ? undefined : formatUnits((reward * 10_000n) / rate, tokenDecimals)
  } catch {
    return undefined // not numbers yet
  }
}
