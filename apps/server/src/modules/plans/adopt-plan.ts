import { amount, type Bps, type Dct } from '@dct/money'
import { raiseAlarm } from '../../platform/alarms/alarms.ts'
import { businessDayOf } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/db.ts'
import { invariant } from '../../platform/errors.ts'
import { getPlanByCode, insertPlan, type Plan } from './plans.queries.ts'
import { own } from './plans.tables.ts'

/** The terms of a stake that is final on chain. */
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
 * Adopts a plan that was opened on chain but never created here: holders who staked in it are owed their rewards
 * anyway. Its terms follow from the stake. It stays closed to joins until an admin switches it on, and an alarm is
 * raised.
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
    const message = `${stake.planCode} was opened on chain but not created here, and has its first stake. It was adopted and switched off.`
    await raiseAlarm(tx, { kind: 'plan_adopted', subject: stake.planCode, message, at: stake.at })
    return plan
  }
  // An admin has created it concurrently.
  const created = await getPlanByCode(tx, stake.planCode)
  invariant(created !== undefined, `plan ${stake.planCode} can neither be created nor read`)
  return created
}

/** The plan's rate. Exact, because the contract rounds rewards down and every stake has more than 10,000 base units. */
function rateOf(stake: StakeTerms): Bps {
  return (stake.reward * WHOLE_BPS + stake.amount - 1n) / stake.amount
}

async function fundedOnChain(tx: Tx, planCode: string): Promise<Dct> {
  const { funded } = await own(tx)
    .selectFrom('plan_funding')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<bigint>('amount'), eb.lit(0)).as('funded'))
    .where('plan_code', '=', planCode)
    .executeTakeFirstOrThrow()
  return amount('DCT', BigInt(funded))
}
