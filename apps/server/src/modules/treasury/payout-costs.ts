import { amount, ceilTo, DECIMALS, divide } from '@dct/money'
import { DAY_MS } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { energyFeesSince } from '../claims/index.ts'
import { type SpentFees, spentFees } from '../payouts/index.ts'

/** USDT base units: the energy part of each fee, and our cost of one TRX. */
export type EnergyPrices = { energyFee: bigint; trxPrice: bigint }

/** The number of successful transactions, and the cost of all attempts in base units of the chain's native coin. */
export type Spent = Pick<SpentFees, 'count' | 'fees'>

export type PayoutCosts = {
  rewardPayouts: Spent
  operatorCalls: Spent
  referralPayouts: Spent
  energyFees: { count: number; amount: bigint }
}

/** The number of days over which costs are summed. */
export const COST_DAYS = 30

/** The cost of our transactions over the last days by their receipts, and the income from the energy part of fees. */
export async function payoutCosts(db: Db, now: Date): Promise<PayoutCosts> {
  const since = new Date(now.getTime() - COST_DAYS * DAY_MS)
  const [spent, energyFees] = await Promise.all([spentFees(db, since), energyFeesSince(db, since)])
  const of = (chain: SpentFees['chain'], isPayout: boolean): Spent =>
    spent.find((one) => one.chain === chain && one.isPayout === isPayout) ?? NOTHING
  return {
    rewardPayouts: of('TRON', true),
    operatorCalls: of('TRON', false),
    referralPayouts: of('BSC', true),
    energyFees,
  }
}

const SHOWN_USDT = 10n ** BigInt(DECIMALS.USDT - 6)
const NOTHING: Spent = { count: 0, fees: 0n }

/** The average cost of a reward payout in sun, failed attempts included; undefined without payouts. */
export function averageFee({ count, fees }: Spent): bigint | undefined {
  return count === 0 ? undefined : divide(fees, BigInt(count), 'up')
}

/** Converts sun to USDT base units, rounded up to the six decimals that are shown. */
export function usdtOfSun(sun: bigint, { trxPrice }: Pick<EnergyPrices, 'trxPrice'>): bigint {
  const exact = divide(sun * trxPrice, 10n ** BigInt(DECIMALS.TRX), 'up')
  return ceilTo(amount('USDT', exact), SHOWN_USDT)
}
