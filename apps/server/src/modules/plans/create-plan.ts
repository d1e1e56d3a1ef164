import { formatUnits } from '@dct/money'
import { formatPercentage } from '@dct/rules/percentages'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, inTransaction, isViolationOf } from '../../platform/database/db.ts'
import { type Facts, Refusal } from '../../platform/errors.ts'
import { type FundingDeps, readFundingHash, requireFunding } from './fundings.ts'
import { bringOnChain, type RequestPlanCall } from './plan-on-chain.ts'
import { type PlanTerms, refuseTerms, type TermsOnChain } from './plan-terms.ts'
import { getPlan, getPlanByCode, insertPlan, type Plan } from './plans.queries.ts'

export type CreatePlanDeps = FundingDeps & {
  clock: Clock
  dctDecimals: number
  requestPlanCall: RequestPlanCall
  recordAdminAction: RecordAdminAction
  /** Reads from the reward contract. Throws if no node answers. */
  readTermsOnChain(planCode: string): Promise<TermsOnChain>
}
export type CreatePlanInput = {
  terms: PlanTerms
  txHash: string
  admin: { id: bigint; address: Buffer }
}

/**
 * Refuses a code that is in use, and terms under which the contract would not open a plan, before the wallet is asked
 * to fund it.
 * @returns the contract's terms for the code
 * @throws Refusal `PLAN_CODE_TAKEN`, `PLAN_TERMS_INVALID` with the field
 */
export async function checkPlan(
  { db, readTermsOnChain }: Pick<CreatePlanDeps, 'db' | 'readTermsOnChain'>,
  terms: PlanTerms,
): Promise<TermsOnChain> {
  if (await getPlanByCode(db, terms.code)) {
    throw new Refusal('PLAN_CODE_TAKEN', { plan_code: terms.code })
  }
  const onChain = await readTermsOnChain(terms.code)
  refuseTerms(onChain, terms)
  return onChain
}

/**
 * Creates a plan that the admin has funded and, if it is active, has it opened on chain. A funding can be used for one
 * plan only.
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
 * Creates one of the installation's own plans, whose funds the owner deposited into the contract. Does nothing if the
 * code exists.
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
