import type { PlanChainState } from '@dct/api-contract/plans'
import type { Dct } from '@dct/money'
import { type Selectable, sql } from 'kysely'
import type { BusinessDay } from '../../platform/clock.ts'
import type { DbOrTx, ReadDb, Tx } from '../../platform/database/db.ts'
import { likePattern, offsetOf, type Paging } from '../../platform/http/lists.ts'
import type { PlanTerms } from './plan-terms.ts'
import { type EarningPlanTable, own } from './plans.tables.ts'

/** A plan: its terms, which never change, and its settings, which an admin may change. */
export type Plan = Omit<PlanTerms, 'isAccumulating'> & {
  id: bigint
  accumulatingSince: BusinessDay | null
  createdAt: Date
  chainState: PlanChainState
  chainRevision: number
}

export const PLAN_COLUMNS = [
  'earning_plan.id',
  'earning_plan.code',
  'earning_plan.name',
  'earning_plan.total_reward',
  'earning_plan.duration_days',
  'earning_plan.rate_bps',
  'earning_plan.daily_limit',
  'earning_plan.is_active',
  'earning_plan.accumulating_since',
  'earning_plan.created_at',
  'earning_plan.chain_state',
  'earning_plan.chain_revision',
] as const

export type PlanRow = Omit<Selectable<EarningPlanTable>, 'funded_tx'>

export function readPlan(row: PlanRow): Plan {
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    totalReward: row.total_reward as Dct,
    durationDays: row.duration_days,
    rate: BigInt(row.rate_bps),
    dailyLimit: row.daily_limit as Dct,
    isActive: row.is_active,
    accumulatingSince: row.accumulating_since as BusinessDay | null,
    createdAt: row.created_at,
    chainState: row.chain_state,
    chainRevision: row.chain_revision,
  }
}

/** The plan with a code; undefined if there is none. */
export async function getPlanByCode(db: ReadDb, code: string): Promise<Plan | undefined> {
  const row = await own(db)
    .selectFrom('earning_plan')
    .select(PLAN_COLUMNS)
    .where('code', '=', code)
    .executeTakeFirst()
  return row === undefined ? undefined : readPlan(row)
}

/** A plan by its id. @throws if it does not exist */
export async function getPlan(db: DbOrTx, id: bigint): Promise<Plan> {
  const row = await own(db)
    .selectFrom('earning_plan')
    .select(PLAN_COLUMNS)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return readPlan(row)
}

/** Every plan, in the order of creation. */
export async function listPlans(db: ReadDb): Promise<Plan[]> {
  const rows = await own(db).selectFrom('earning_plan').select(PLAN_COLUMNS).orderBy('id').execute()
  return rows.map(readPlan)
}

export async function countPlans(db: ReadDb): Promise<number> {
  const { count } = await own(db)
    .selectFrom('earning_plan')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const SORTS = {
  plan_code: sql`code`,
  name: sql`name`,
  duration_days: sql`duration_days`,
  total_reward: sql`total_reward`,
  total_percentage: sql`rate_bps`,
  max_token_allowed: sql`total_reward / rate_bps`,
  daily_limit: sql`daily_limit`,
  is_accumulation_active: sql`(accumulating_since is not null)`,
  is_active: sql`is_active`,
  created_at: sql`created_at`,
} as const
export type PlanSort = keyof typeof SORTS
export type PlanListQuery = Paging & {
  search?: string
  sort_by: PlanSort
  sort_order: 'asc' | 'desc'
}

/** One page of plans whose code or name contains the search text. */
export async function findPlans(
  db: DbOrTx,
  query: PlanListQuery,
): Promise<{ plans: Plan[]; total: number }> {
  const matching = own(db)
    .selectFrom('earning_plan')
    .$if((query.search ?? '') !== '', (plans) => {
      const pattern = likePattern(query.search ?? '')
      return plans.where((eb) =>
        eb.or([eb('code', 'ilike', pattern), eb('name', 'ilike', pattern)]),
      )
    })
  const [rows, { total }] = await Promise.all([
    matching
      .select(PLAN_COLUMNS)
      .orderBy(SORTS[query.sort_by], query.sort_order)
      .orderBy('earning_plan.id', query.sort_order)
      .offset(offsetOf(query))
      .limit(query.limit)
      .execute(),
    matching.select((eb) => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { plans: rows.map(readPlan), total: Number(total) }
}

export type NewPlan = PlanTerms & {
  fundedTx: Buffer | null
  at: Date
  day: BusinessDay
  /** Default: closed. */
  chainState?: PlanChainState
}

/** Inserts a plan with its empty totals and its first day. @returns undefined when the code is taken */
export async function insertPlan(tx: Tx, plan: NewPlan): Promise<Plan | undefined> {
  const row = await own(tx)
    .insertInto('earning_plan')
    .values({
      code: plan.code,
      name: plan.name,
      total_reward: plan.totalReward,
      duration_days: plan.durationDays,
      rate_bps: Number(plan.rate),
      daily_limit: plan.dailyLimit,
      is_active: plan.isActive,
      accumulating_since: plan.isAccumulating ? plan.day : null,
      created_at: plan.at,
      funded_tx: plan.fundedTx,
      chain_state: plan.chainState ?? 'closed',
    })
    .onConflict((conflict) => conflict.column('code').doNothing())
    .returning(PLAN_COLUMNS)
    .executeTakeFirst()
  if (row === undefined) return undefined
  await own(tx).insertInto('plan_total').values({ plan_id: row.id }).execute()
  await own(tx)
    .insertInto('plan_day')
    .values({ plan_id: row.id, day: plan.day, limit_base: plan.dailyLimit, carry: 0n })
    .execute()
  return readPlan(row)
}

export type PlanChange = {
  name: string
  dailyLimit: Dct
  isActive: boolean
  accumulatingSince: BusinessDay | null
}

export async function updatePlanRow(tx: Tx, id: bigint, change: PlanChange): Promise<Plan> {
  const row = await own(tx)
    .updateTable('earning_plan')
    .set({
      name: change.name,
      daily_limit: change.dailyLimit,
      is_active: change.isActive,
      accumulating_since: change.accumulatingSince,
    })
    .where('id', '=', id)
    .returning(PLAN_COLUMNS)
    .executeTakeFirstOrThrow()
  return readPlan(row)
}

/** Starts opening or closing a plan on chain. @returns the revision of this change */
export async function beginChainChange(
  tx: Tx,
  change: { id: bigint; state: 'opening' | 'closing' },
): Promise<number> {
  const row = await own(tx)
    .updateTable('earning_plan')
    .set({ chain_state: change.state, chain_revision: sql<number>`chain_revision + 1` })
    .where('id', '=', change.id)
    .returning('chain_revision')
    .executeTakeFirstOrThrow()
  return row.chain_revision
}

/** Completes a change on chain, unless a later one has started. @returns whether it did */
export async function endChainChange(
  tx: Tx,
  change: { code: string; revision: number; state: 'open' | 'closed' },
): Promise<boolean> {
  const ended = await own(tx)
    .updateTable('earning_plan')
    .set({ chain_state: change.state })
    .where('code', '=', change.code)
    .where('chain_revision', '=', change.revision)
    .executeTakeFirst()
  return ended.numUpdatedRows > 0n
}
