import type { DbOrTx } from '../../platform/database/db.ts'
import { stakesOfPlans } from '../earnings/index.ts'
import { accountsOfPlan, balances } from '../ledger/index.ts'
import { listPlans } from '../plans/index.ts'
import { owedToReferrers } from '../referrals/index.ts'

export type BookedPlan = {
  code: string
  name: string
  /** DCT base units of owed rewards: for future cycles, credited, and claimed but not yet sent. */
  future: bigint
  unclaimed: bigint
  claimed: bigint
  /** DCT base units of capital. */
  locked: bigint
  /** The number of all stakes ever made, as the staking contract counts them. */
  stakes: bigint
}
export type BookedReserves = {
  plans: BookedPlan[]
  /** USDT base units owed to referrers, claimed or not, until they are paid. */
  referralOwed: bigint
}

/** The commitments according to the ledger. Reads a few rows per plan, regardless of the number of holders. */
export async function bookedReserves(db: DbOrTx): Promise<BookedReserves> {
  const plans = await listPlans(db)
  const accounts = plans.flatMap(({ code }) => Object.values(accountsOfPlan(code)))
  const [dct, stakes, referralOwed] = await Promise.all([
    balances(db, { asset: 'DCT', accounts }),
    stakesOfPlans(db),
    owedToReferrers(db),
  ])
  return {
    referralOwed,
    plans: plans.map(({ code, name }) => {
      const own = accountsOfPlan(code)
      const balance = (one: keyof typeof own) => dct.get(own[one].code) ?? 0n
      const future = balance('promised')
      const unclaimed = balance('credited')
      // Claims and payouts each have a separate account; their sum is the remainder of the plan's funds.
      const claimed = balance('pool') - balance('free') - balance('lapsed') - future - unclaimed
      const locked = balance('principal')
      return { code, name, future, unclaimed, claimed, locked, stakes: stakes.get(code) ?? 0n }
    }),
  }
}
