import type { UserEarning } from '@dct/api-contract/earnings'
import type { EarningPlan, PlansReply } from '@dct/api-contract/plans'
import { SUCCESSES } from '@dct/api-contract/successes'
import { listOf, recordedReply, type World } from './world.ts'

const PLANS = 'GET /api/user/earning-plans'
const QUOTA = 'GET /api/user/earning-plans/:code/check-quota'
const EARNINGS = 'GET /api/user/earnings'
export const RESERVE = 'POST /api/user/earning-plans/:code/reserve'
export const RECORD = 'POST /api/user/earnings'

const recorded = recordedReply<PlansReply>(PLANS).earning_plans as [EarningPlan, EarningPlan]
const [earning] = recordedReply<{ earnings: [UserEarning] }>(EARNINGS).earnings

/** What is left of a plan's daily and annual quota. */
export type Left = { daily: string; annual: string }
const PLENTY: Left = { daily: '2000.000000', annual: '9784.000000' }

/** A holder who has joined nothing yet, and plans that can be joined until this holder has joined one. */
export function offerPlans(world: World, own: readonly Partial<EarningPlan>[] = []) {
  const left = new Map<string, Left>()
  const held: UserEarning[] = []
  const [first] = recorded
  const plans = [...recorded, ...own.map((plan) => ({ ...first, ...plan }))]
  const planOf = (code: unknown) => plans.find(({ plan_code }) => plan_code === code) ?? first
  world.answer(PLANS, (asked) => ({
    ...listOf('earning_plans', plans, { ...asked, query: { page: 1, limit: 10 } }),
    plans,
  }))
  world.answer(EARNINGS, (asked) => listOf('earnings', held, asked))
  world.answer('GET /api/user/claimable-reward', { claimable_rewards: [] })
  world.answer('GET /api/user/get-claimed-rewards', { claimed_rewards: [] })
  world.answer('GET /api/user/pending-claim-fees', (asked) => listOf('pending_fees', [], asked))
  world.answer(QUOTA, ({ params }) => {
    const { daily, annual } = left.get(params.code ?? '') ?? PLENTY
    return {
      ...recordedReply<object>(QUOTA),
      ...{ plan_code: params.code, remaining_daily_limit: daily, remaining_daily_quota: daily },
      remaining_annual_quota: annual,
    }
  })
  acceptReservations(world, plans)
  world.answer(RECORD, ({ body }) => {
    const { plan_code, trx_hash } = body as { plan_code: string; trx_hash: string }
    const joined: UserEarning = {
      ...{ ...earning, earning_plan_code: plan_code, trx_hash, is_frozen: false },
      ...{ total_locked_amount: amountOf(body), duration_days: planOf(plan_code).duration_days },
    }
    held.push(joined)
    return { message: SUCCESSES.PLAN_JOINED, earning: joined }
  })
  return { left, held, earning }
}

/** Every plan has room for whatever is asked. */
export function acceptReservations(world: World, plans: readonly EarningPlan[] = recorded): void {
  world.answer(RESERVE, ({ params, body }) => ({
    ...{ plan_code: params.code, amount: amountOf(body), reward: '36.000000' },
    duration_days: plans.find(({ plan_code }) => plan_code === params.code)?.duration_days,
    ...{ business_date: '2026-12-10', expires_at: '2030-01-01T00:00:00.000Z' },
  }))
}

function amountOf(body: unknown): string {
  return Number((body as { amount: string }).amount).toFixed(6)
}
