import { parseAmount } from '@dct/money'
import { sql } from 'kysely'
import { insertPlan, type Plan } from '../modules/plans/plans.queries.ts'
import { businessDayOf, type Clock } from '../platform/clock.ts'
import { type Db, inTransaction } from '../platform/database/db.ts'

/** DCT with the development token's 6 decimals. */
export const dct = (text: string) => parseAmount('DCT', text)

/** An open, funded plan. Pass only the values that the test is about. */
export async function givenPlan(
  { db, clock }: { db: Db; clock: Clock },
  facts: Partial<{
    code: string
    name: string
    totalReward: string
    durationDays: number
    rateBps: number
    dailyLimit: string
    isActive: boolean
    isAccumulating: boolean
    poolFree: string
  }> = {},
): Promise<Plan> {
  const code = facts.code ?? 'PLAN-360'
  const totalReward = facts.totalReward ?? '10000'
  return inTransaction(db, async (tx) => {
    const at = clock.now()
    const plan = await insertPlan(tx, {
      code,
      name: facts.name ?? 'Plan 360',
      totalReward: dct(totalReward),
      durationDays: facts.durationDays ?? 360,
      rate: BigInt(facts.rateBps ?? 7_200),
      dailyLimit: dct(facts.dailyLimit ?? '2000'),
      isActive: facts.isActive ?? true,
      isAccumulating: facts.isAccumulating ?? false,
      fundedTx: null,
      at,
      day: businessDayOf(at),
    })
    if (plan === undefined) throw new Error(`The plan ${code} already exists`)
    const state = plan.isActive ? 'open' : 'closed'
    await sql`update earning_plan set chain_state = ${state} where id = ${plan.id}`.execute(tx)
    await sql`insert into plan_pool values (${code}, ${dct(facts.poolFree ?? totalReward)})`.execute(
      tx,
    )
    return { ...plan, chainState: state }
  })
}
