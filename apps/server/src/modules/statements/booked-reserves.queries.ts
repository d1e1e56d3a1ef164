import { sql } from 'kysely'
import type { DbOrTx } from '../../platform/db.ts'
import { account, balances } from '../ledger/index.ts'
import { listPlans } from '../plans/index.ts'

export type BookedPlan = {
  code: string
  name: string
  /** DCT base units of rewards that are owed: of cycles to come, credited, claimed and not yet sent. */
  future: bigint
  unclaimed: bigint
  claimed: bigint
  /** DCT base units of capital. */
  locked: bigint
  /** All that ever were, as the staking contract counts them. */
  stakes: bigint
}
export type BookedReserves = {
  plans: BookedPlan[]
  /** USDT base units owed to referrers, claimed or not, until they are paid. */
  referralOwed: bigint
}

/** What the books say is promised. Reads a handful of rows a plan, however many holders there are. */
export async function bookedReserves(db: DbOrTx): Promise<BookedReserves> {
  const plans = await listPlans(db)
  const accounts = plans.flatMap(({ code }) => Object.values(accountsOf(code)))
  const [dct, stakes, referralOwed] = await Promise.all([
    balances(db, { asset: 'DCT', accounts }),
    stakesOfPlans(db),
    owedToReferrers(db),
  ])
  return {
    referralOwed,
    plans: plans.map(({ code, name }) => {
      const own = accountsOf(code)
      const balance = (one: keyof typeof own) => dct.get(own[one].code) ?? 0n
      const future = balance('promised')
      const unclaimed = balance('credited')
      // Claims and payouts have an account each; together they are what is left of the plan's means.
      const claimed = balance('pool') - balance('free') - balance('lapsed') - future - unclaimed
      const locked = balance('principal')
      return { code, name, future, unclaimed, claimed, locked, stakes: stakes.get(code) ?? 0n }
    }),
  }
}

function accountsOf(planCode: string) {
  return {
    pool: account.chainPool(planCode),
    free: account.free(planCode),
    lapsed: account.lapsed(planCode),
    promised: account.promised(planCode),
    credited: account.credited(planCode),
    principal: account.principal(planCode),
  }
}

async function stakesOfPlans(db: DbOrTx): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ code: string; stakes: bigint }>`
    select p.code, sum(c.stakes) as stakes
    from stake_count c join earning_plan p on p.id = c.plan_id group by p.code`.execute(db)
  return new Map(rows.map(({ code, stakes }) => [code, stakes]))
}

/** Every referrer has accounts of their own. All USDT that came and is nobody else's is theirs. */
async function owedToReferrers(db: DbOrTx): Promise<bigint> {
  const { feeReceiver, payoutWallet, incomeFee, incomeEnergy, suspense, owner } = account
  const held = [feeReceiver, payoutWallet]
  const others = [incomeFee, incomeEnergy, suspense, owner]
  const usdt = await balances(db, { asset: 'USDT', accounts: [...held, ...others] })
  const sum = (accounts: readonly { code: string }[]) =>
    accounts.reduce((total, { code }) => total + (usdt.get(code) ?? 0n), 0n)
  return sum(held) - sum(others)
}
