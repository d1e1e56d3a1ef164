import { formatUnits } from '@dct/money'
import { formatPercentage } from '@dct/rules/percentages'
import type { RecordAdminAction } from '../../platform/admin-actions.ts'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import { type Db, inTransaction, isViolationOf } from '../../platform/db.ts'
import { type Facts, Refusal } from '../../platform/errors.ts'
import { type FundingDeps, readFundingHash, requireFunding } from './fundings.ts'
import { bringOnChain, type RequestPlanCall } from './plan-on-chain.ts'
import type { PlanTerms } from './plan-terms.ts'
import { getPlan, getPlanByCode, insertPlan, type Plan } from './plans.queries.ts'

export type CreatePlanDeps = FundingDeps & {
  clock: Clock
  dctDecimals: number
  requestPlanCall: RequestPlanCall
  recordAdminAction: RecordAdminAction
}
export type CreatePlanInput = {
  terms: PlanTerms
  txHash: string
  admin: { id: bigint; address: Buffer }
}

/** Refuses a code that is in use, before the wallet is asked to fund it. @throws Refusal `PLAN_CODE_TAKEN` */
export async function checkPlan({ db }: { db: Db }, terms: PlanTerms): Promise<void> {
  if (await getPlanByCode(db, terms.code)) {
    throw new Refusal('PLAN_CODE_TAKEN', { plan_code: terms.code })
  }
}

/**
 * Creates a plan that its admin funded, and has it opened on chain. Each funding makes one plan.
 * @throws Refusal like `checkPlan` and `requireFunding`, `FUNDING_HASH_INVALID`, `FUNDING_USED`
 */
export async function createPlan(deps: CreatePlanDeps, input: CreatePlanInput): Promise<Plan> {
  const { terms, admin } = input
  const txHash = readFundingHash(input.txHash)
  await checkPlan(deps, terms)
  await requireFunding(deps, { txHash, terms, from: admin.address })
  const at = deps.clock.now()
  try {
    return await inTransaction(deps.db, async (tx) => {
      const day = businessDayOf(at)
      const plan = await insertPlan(tx, { ...terms, fundedTx: txHash, at, day })
      if (plan === undefined) throw new Refusal('PLAN_CODE_TAKEN', { plan_code: terms.code })
      if (terms.isActive) {
        await bringOnChain(deps.requestPlanCall, tx, { plan, isActive: true, at })
      }
      await deps.recordAdminAction(tx, {
        adminId: admin.id,
        action: 'plan.create',
        subject: terms.code,
        before: null,
        after: { ...describeTerms(terms, deps.dctDecimals), tx_hash: txHash.toString('hex') },
        at,
      })
      return getPlan(tx, plan.id)
    })
  } catch (error) {
    if (isViolationOf(error, 'earning_plan_funded_tx')) throw new Refusal('FUNDING_USED')
    throw error
  }
}

function describeTerms(terms: PlanTerms, dctDecimals: number): Facts {
  return {
    name: terms.name,
    total_reward: formatUnits(terms.totalReward, dctDecimals),
    duration_days: terms.durationDays,
    total_percentage: formatPercentage(terms.rate),
    daily_limit: formatUnits(terms.dailyLimit, dctDecimals),
    is_active: terms.isActive,
    is_accumulation_active: terms.isAccumulating,
  }
}

/**
 * Creates a plan of the installation itself, whose means its owner put into the contract. Nothing
 * happens when the code exists.
 */
export async function seedPlan(
  { db, clock, requestPlanCall }: { db: Db; clock: Clock; requestPlanCall: RequestPlanCall },
  terms: PlanTerms,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const at = clock.now()
    const plan = await insertPlan(tx, { ...terms, fundedTx: null, at, day: businessDayOf(at) })
    if (plan === undefined || !terms.isActive) return
    await bringOnChain(requestPlanCall, tx, { plan, isActive: true, at })
  })
}
