import { amount, type Bps, type Dct } from '@dct/money'
import { raiseAlarm } from '../../platform/alarms.ts'
import { businessDayOf } from '../../platform/clock.ts'
import type { Tx } from '../../platform/db.ts'
import { invariant } from '../../platform/errors.ts'
import { getPlanByCode, insertPlan, type Plan } from './plans.queries.ts'

/** A stake that is final on chain, as far as it tells of its plan. */
export type StakeTerms = {
  planCode: string
  amount: Dct
  reward: Dct
  durationDays: number
  /** The time of the stake's block. */
  at: Date
}

const WHOLE_BPS = 10_000n

/**
 * Takes over a plan that was opened on chain and never here: a holder who staked in it is owed all the same. Its terms
 * follow from the stake. Nobody can join it here until an admin switches it on, and admins are told.
 */
export async function adoptPlan(tx: Tx, stake: StakeTerms): Promise<Plan> {
  const totalReward = await fundedOnChain(tx, stake.planCode)
  const plan = await insertPlan(tx, {
    code: stake.planCode,
    name: stake.planCode,
    totalReward,
    durationDays: stake.durationDays,
    rate: rateOf(stake),
    dailyLimit: totalReward,
    isActive: false,
    isAccumulating: false,
    fundedTx: null,
    at: stake.at,
    day: businessDayOf(stake.at),
    chainState: 'open',
  })
  if (plan !== undefined) {
    const message = `Somebody staked in ${stake.planCode}, which was opened on chain and never here. It was taken over, switched off.`
    await raiseAlarm(tx, { kind: 'plan_adopted', subject: stake.planCode, message, at: stake.at })
    return plan
  }
  // An admin created it at this very moment.
  const created = await getPlanByCode(tx, stake.planCode)
  invariant(created !== undefined, `plan ${stake.planCode} can neither be made nor read`)
  return created
}

/** Exact: the contract rounds a reward down, and every stake has more base units than a whole has basis points. */
function rateOf(stake: StakeTerms): Bps {
  return (stake.reward * WHOLE_BPS + stake.amount - 1n) / stake.amount
}

async function fundedOnChain(tx: Tx, planCode: string): Promise<Dct> {
  const { funded } = await tx
    .selectFrom('plan_funding')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<bigint>('amount'), eb.lit(0)).as('funded'))
    .where('plan_code', '=', planCode)
    .executeTakeFirstOrThrow()
  return amount('DCT', BigInt(funded))
}
