import { parseAmount, parseUnits } from '@dct/money'
import { PRICE_DECIMALS } from '@dct/rules/constants'
import { requestOperatorCall } from '../modules/payouts/index.ts'
import { getPlanByCode, type PlanTerms, seedPlan } from '../modules/plans/index.ts'
import { ensureMoneySetting } from '../modules/pricing/index.ts'
import { readPlanFunded } from './chains/chains.ts'
import type { Context } from './context.ts'

type FundPlan = (plan: { planCode: string; amount: string }) => Promise<unknown>

const TOTAL_REWARD = '10000'
const DAILY_LIMIT = '2000'
/** The two plans of the terms: 360 cycles at 0.2 % and 720 cycles at 0.3 % of the locked amount. */
const PLANS = [
  { code: 'PLAN-360', name: 'Plan 360', durationDays: 360, rate: 7_200n },
  { code: 'PLAN-720', name: 'Plan 720', durationDays: 720, rate: 21_600n },
] as const

/** Gives an empty devnet its prices and its two plans, funded on chain by the demo admin. Safe to repeat. */
export async function seedDevnet(context: Context, fundPlan: FundPlan): Promise<void> {
  const { db, clock, dctDecimals } = context
  await ensureMoneySetting(context, { name: 'price', value: parseUnits('1', PRICE_DECIMALS) })
  // Development TRX are worth almost nothing, so that the energy fee covers a payout.
  await ensureMoneySetting(context, { name: 'trx_price', value: parseAmount('USDT', '0.005') })
  for (const plan of PLANS) {
    if (await getPlanByCode(db, plan.code)) continue
    if ((await readPlanFunded(context.chains, plan.code)) === 0n) {
      await fundPlan({ planCode: plan.code, amount: TOTAL_REWARD })
    }
    await seedPlan({ db, clock, requestPlanCall: requestOperatorCall }, termsOf(plan, dctDecimals))
  }
}

function termsOf(plan: (typeof PLANS)[number], decimals: number): PlanTerms {
  return {
    ...plan,
    totalReward: parseAmount('DCT', TOTAL_REWARD, decimals),
    dailyLimit: parseAmount('DCT', DAILY_LIMIT, decimals),
    isActive: true,
    isAccumulating: true,
  }
}
