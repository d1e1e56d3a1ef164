import type { EarningProgress } from '@dct/api-contract/claims'
import { formatAmount } from '@dct/money'
import { businessDayOf } from '../../platform/clock.ts'
import type { DbOrTx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { type CycleRow, readCycles } from '../earnings/index.ts'
import { claimsOfEarning } from './claims.queries.ts'
import type { Claim } from './serialize-claim.ts'

/**
 * The history of a holder's earning: its cycles, grouped into stretches of the same kind, and its claims.
 * @throws Refusal `EARNING_NOT_FOUND`
 */
export async function describeProgress(
  { db, dctDecimals }: { db: DbOrTx; dctDecimals: number },
  key: { staker: Buffer; planCode: string },
): Promise<EarningProgress> {
  const earning = await readCycles(db, key)
  if (earning === undefined) throw new Refusal('EARNING_NOT_FOUND', { planCode: key.planCode })
  const claims = await claimsOfEarning(db, earning.earningId)
  const show = (base: bigint) => formatAmount('DCT', base, dctDecimals)
  const { freezeLimit } = earning
  return {
    earning_plan_code: key.planCode,
    start_day: earning.startDay,
    duration_days: earning.cycles,
    total_reward: show(earning.reward),
    stretches: stretchesOf({ rows: earning.rows, claims, freezeLimit }).map((stretch) => ({
      first_cycle: stretch.first.cycle,
      last_cycle: stretch.last.cycle,
      first_day: stretch.first.day,
      last_day: stretch.last.day,
      amount: show(stretch.amount),
      is_lapsed: stretch.isLapsed,
      is_frozen: stretch.isFrozen,
    })),
    claims: claims.map((claim) => ({
      code_claim: claim.code_claim,
      claim_type: claim.kind,
      state: claim.state,
      claim_day: businessDayOf(claim.requested_at),
      first_cycle: claim.first_cycle,
      last_cycle: claim.last_cycle,
      claimed_amount: show(claim.amount),
    })),
  }
}

type Stretch = {
  first: CycleRow
  last: CycleRow
  amount: bigint
  isLapsed: boolean
  isFrozen: boolean
}
type PastClaim = Pick<Claim, 'state' | 'last_cycle' | 'requested_at' | 'paid_at' | 'closed_at'>
type Past = { rows: readonly CycleRow[]; claims: readonly PastClaim[]; freezeLimit: number }

/** Groups cycles, in order, into stretches of the same kind. */
export function stretchesOf(past: Past): Stretch[] {
  const stretches: Stretch[] = []
  for (const row of past.rows) {
    const isLapsed = row.lapsed !== null
    const isFrozen = isFrozenAfter(past, row)
    const amount = row.lapsed ?? row.amount
    const open = stretches.at(-1)
    if (open && open.isLapsed === isLapsed && open.isFrozen === isFrozen) {
      open.last = row
      open.amount += amount
    } else {
      stretches.push({ first: row, last: row, amount, isLapsed, isFrozen })
    }
  }
  return stretches
}

/** Whether the earning was frozen at the end of that cycle's day: by an open fee, or by too many unclaimed cycles. */
function isFrozenAfter({ rows, claims, freezeLimit }: Past, { day, cycle }: CycleRow): boolean {
  const made = claims.filter(({ requested_at }) => businessDayOf(requested_at) <= day)
  const standing = made.filter(({ closed_at, state }) => {
    return state !== 'cancelled' || closed_at === null || businessDayOf(closed_at) > day
  })
  const hasOpenFee = standing.some(({ paid_at, closed_at }) => {
    const end = paid_at ?? closed_at
    return end === null || businessDayOf(end) > day
  })
  if (hasOpenFee) return true
  const claimedThrough = Math.max(0, ...standing.map(({ last_cycle }) => last_cycle))
  const counting = rows.filter(
    (row) => row.cycle > claimedThrough && row.cycle <= cycle && row.isCounted,
  )
  return counting.length >= freezeLimit
}
