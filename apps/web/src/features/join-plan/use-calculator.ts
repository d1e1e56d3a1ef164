import type { EarningPlan } from '@dct/api-contract/plans'
import { type Dct, parseAmount } from '@dct/money'
import { parseBusinessDay } from '@dct/rules/business-day'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { readDecimal } from '../../shared/lib/decimal.ts'
import { calculate, type Outcome, readPrice } from './calculator.ts'

export type Calculation = {
  outcome: Outcome
  amount: Dct
  /** The cycles of the plan. */
  cycles: number
  dctDecimals: number
  price: string | null
  energyFee: string
  graceCycles: number
}

/** What the amount would yield; undefined unless plan, amount and settings are all valid and joinable. */
export function useCalculation(
  plan: EarningPlan | undefined,
  typedAmount: string,
): Calculation | undefined {
  const config = usePublicConfig()
  const typed = readDecimal(typedAmount)
  // The service may omit fields that a plan should have; joining it then reports the problem.
  const { total_percentage, duration_days }: Partial<EarningPlan> = plan ?? {}
  if (!config || !total_percentage || !duration_days || typed === undefined) return undefined
  const dctDecimals = config.tron.token_decimals
  try {
    const amount = parseAmount('DCT', typed, dctDecimals)
    const bound = (text: string) => parseAmount('DCT', text, dctDecimals)
    const { join_minimum, join_maximum } = config.limits
    if (amount < bound(join_minimum) || amount > bound(join_maximum)) return undefined
    const price = config.price.is_current ? config.price.usdt : null
    const graceCycles = config.limits.freeze_grace_cycles
    const outcome = calculate(amount, {
      totalPercentage: total_percentage,
      cycles: duration_days,
      dctDecimals,
      price: readPrice(price),
      energyFee: parseAmount('USDT', config.energy_fee_usdt),
      minimumClaim: parseAmount('DCT', config.limits.claim_minimum, dctDecimals),
      graceCycles,
      today: parseBusinessDay(config.business_date),
    })
    const energyFee = config.energy_fee_usdt
    return { outcome, amount, cycles: duration_days, dctDecimals, price, energyFee, graceCycles }
  } catch (error) {
    if (error instanceof RangeError) return undefined // not an amount (yet)
    throw error
  }
}
