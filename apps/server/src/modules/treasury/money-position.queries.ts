import type { Db, Tx } from '../../platform/database/db.ts'
import { inSnapshot } from '../../platform/database/snapshots.ts'
import { awaitedFees } from '../claims/index.ts'
import { type Account, account, accountsOfPlan, balances, creditsWithout } from '../ledger/index.ts'
import { openPayoutTotals } from '../payouts/index.ts'
import { listPlans, type Plan } from '../plans/index.ts'
import { owedToReferrers, referralRequested } from '../referrals/index.ts'

const DCT_FIGURES = [
  ...(['promised', 'credited', 'awaitingFee', 'awaitingPayout'] as const),
  ...(['lapsed', 'free', 'pool', 'locked', 'paid'] as const),
] as const
/** DCT base units. `locked` and `paid` are sums since the beginning. */
export type DctFigures = Record<(typeof DCT_FIGURES)[number], bigint>
export type PlanPosition = { plan: Plan; figures: DctFigures }
/** USDT base units. `fees` and `paid` are sums since the beginning: fees received, and what referrers were paid. */
export type UsdtFigures = {
  referralUnclaimed: bigint
  referralRequested: bigint
  awaitingPayout: bigint
  unmatched: bigint
  payoutWallet: bigint
  feeReceiver: bigint
  fees: bigint
  paid: bigint
}

/** What leaves the pool or the payout wallet without paying anybody, and payments that the chain took back. */
const NO_PAYMENTS = {
  DCT: ['plan.free-withdrawn', 'plan.lapsed-withdrawn', 'payment.undone'],
  USDT: ['payout_wallet.withdrawn', 'receipt.internal', 'payment.undone'],
} as const
export type MoneyPosition = {
  plans: readonly PlanPosition[]
  usdt: UsdtFigures
  openPayouts: { tron: number; bsc: number }
}

/** What is owed and what the books hold to cover it, in one snapshot. */
export async function moneyPosition(db: Db): Promise<MoneyPosition> {
  return inSnapshot(db, readPosition)
}

async function readPosition(tx: Tx): Promise<MoneyPosition> {
  const plans = await listPlans(tx)
  const booked = await balances(tx, {
    asset: 'DCT',
    accounts: plans.flatMap(({ code }) => Object.values(accountsOfPlan(code))),
  })
  const moved = await creditsWithout(tx, {
    ...{ asset: 'DCT', kinds: NO_PAYMENTS.DCT },
    accounts: plans.flatMap(({ code }) => [account.chainPool(code), account.principal(code)]),
  })
  const fees = await awaitedFees(tx)
  const open = await openPayoutTotals(tx)
  const sumOf = (rows: typeof open) => rows.reduce((sum, { amount }) => sum + amount, 0n)
  const countOf = (rows: typeof open) => rows.reduce((sum, { count }) => sum + count, 0)
  const onTron = open.filter(({ chain }) => chain === 'TRON')
  const onBsc = open.filter(({ chain }) => chain === 'BSC')
  return {
    plans: plans.map((plan) => {
      const of = accountsOfPlan(plan.code)
      const balance = (one: Account) => booked.get(one.code) ?? 0n
      return {
        plan,
        figures: {
          promised: balance(of.promised),
          credited: balance(of.credited),
          awaitingFee: fees.get(plan.code) ?? 0n,
          awaitingPayout: sumOf(onTron.filter(({ planCode }) => planCode === plan.code)),
          lapsed: balance(of.lapsed),
          free: balance(of.free),
          pool: balance(of.pool),
          locked: moved.get(of.principal.code) ?? 0n,
          paid: moved.get(of.pool.code) ?? 0n,
        },
      }
    }),
    usdt: await readUsdt(tx, sumOf(onBsc)),
    openPayouts: { tron: countOf(onTron), bsc: countOf(onBsc) },
  }
}

async function readUsdt(tx: Tx, awaitingPayout: bigint): Promise<UsdtFigures> {
  const { feeReceiver, payoutWallet, suspense, incomeFee, incomeEnergy } = account
  const booked = await balances(tx, {
    asset: 'USDT',
    accounts: [feeReceiver, payoutWallet, suspense],
  })
  const moved = await creditsWithout(tx, {
    ...{ asset: 'USDT', kinds: NO_PAYMENTS.USDT },
    accounts: [incomeFee, incomeEnergy, payoutWallet],
  })
  const balance = ({ code }: Account) => booked.get(code) ?? 0n
  const credited = ({ code }: Account) => moved.get(code) ?? 0n
  const requested = await referralRequested(tx)
  return {
    referralUnclaimed: (await owedToReferrers(tx)) - requested - awaitingPayout,
    referralRequested: requested,
    awaitingPayout,
    unmatched: balance(suspense),
    payoutWallet: balance(payoutWallet),
    feeReceiver: balance(feeReceiver),
    fees: credited(incomeFee) + credited(incomeEnergy),
    paid: credited(payoutWallet),
  }
}

/** What is owed to the holders of a plan, due or not. */
export function dctOwed(figures: DctFigures): bigint {
  return figures.promised + figures.credited + figures.awaitingFee + figures.awaitingPayout
}

/** What is owed to referrers, and to senders of payments that match no fee. */
export function usdtOwed(figures: UsdtFigures): bigint {
  const { referralUnclaimed, referralRequested, awaitingPayout, unmatched } = figures
  return referralUnclaimed + referralRequested + awaitingPayout + unmatched
}

/** The sum over all plans. */
export function totalOf(plans: readonly PlanPosition[]): DctFigures {
  const sumOf = (name: keyof DctFigures) =>
    plans.reduce((sum, { figures }) => sum + figures[name], 0n)
  return Object.fromEntries(DCT_FIGURES.map((name) => [name, sumOf(name)])) as DctFigures
}
