/**
 * What chains paid that the service did not send: each payment states the total of its account, so what a thief paid is
 * known to the unit, and is charged to what the receiver is owed.
 */
import { payoutVaultAbi, rewardPoolAbi } from '@dct/contract-abi'
import { decodeEventLog, type Hex } from 'viem'
import type { Included, Log, SimulatedChain } from '../chains/chain.ts'
import { entitlementOf } from '../chains/reward-pool.ts'
import { chargePaid, type Earning } from '../model/earning.ts'
import type { Stage } from '../story/stage.ts'
import { PLACES, tronText } from '../world/chains.ts'

/** Whether rewards are paid by totals too, as bonuses are. */
export const ARE_REWARDS_TOTALS = rewardPoolAbi.some(
  (item) =>
    item.type === 'event' &&
    item.name === 'RewardPaid' &&
    item.inputs.some(({ name }) => name !== undefined && /total/i.test(name)),
)

const texts = new Map<Hex, string>()
export function tronTextOf(address: Hex): string {
  const known = texts.get(address) ?? tronText(address)
  texts.set(address, known)
  return known
}

/** What the contract paid for a stake so far. */
export function paidTo(stage: Stage, { plan, staker }: Earning): bigint {
  const { pool, staking } = stage.world.chains.tron.state
  const stake = staking.stakes.find(
    (one) => one.planCode === plan && tronTextOf(one.staker) === staker,
  )
  return stake === undefined ? 0n : entitlementOf(pool, plan, stake.staker).paid
}

/** The model charges what was paid ahead, as the service does once it is at rest. */
export function chargeAhead(stage: Stage): void {
  if (!ARE_REWARDS_TOTALS) return
  for (const earning of stage.earnings())
    chargePaid(earning, paidTo(stage, earning), stage.world.now)
}

/** The totals that payments made by hand have reached, by account; nobody is accused of them. */
export function totalsByHand(stage: Stage): ReadonlyMap<string, bigint> {
  const { tron, bsc } = stage.world.chains
  const { byHand } = stage
  byHand.tron = note(tron, byHand.tron, rewardOf, byHand.totals)
  byHand.bsc = note(bsc, byHand.bsc, bonusOf, byHand.totals)
  return byHand.totals
}

type Reached = { account: string; total: bigint }

/** Blocks that may still be replaced are looked at again. */
function note<S>(
  chain: SimulatedChain<S>,
  from: number,
  read: (log: Log) => Reached | undefined,
  totals: Map<string, bigint>,
): number {
  const { blocks, rules } = chain
  const made = blocks.slice(Math.max(0, from)).flatMap(({ included }) => included)
  for (const log of made.filter(isTheft).flatMap(({ logs }) => logs)) {
    const reached = read(log)
    if (reached === undefined) continue
    const { account, total } = reached
    if (total > (totals.get(account) ?? 0n)) totals.set(account, total)
  }
  return blocks.length - 1 - rules.finality
}

function isTheft({ isByHand, to, succeeded }: Included): boolean {
  return isByHand === true && succeeded && (to === PLACES.pool || to === PLACES.vault)
}

function rewardOf({ address, topics, data }: Log): Reached | undefined {
  if (address !== PLACES.pool) return undefined
  const event = decodeEventLog({ abi: rewardPoolAbi, data, topics: topics as [Hex, ...Hex[]] })
  if (event.eventName !== 'RewardPaid') return undefined
  const { planCode, to, ...rest } = event.args as Record<string, unknown>
  const total = Object.entries(rest).find(([name]) => /total/i.test(name))?.[1]
  if (typeof total !== 'bigint') return undefined
  return { account: `${planCode} ${tronTextOf(String(to).toLowerCase() as Hex)}`, total }
}

function bonusOf({ address, topics, data }: Log): Reached | undefined {
  if (address !== PLACES.vault) return undefined
  const event = decodeEventLog({ abi: payoutVaultAbi, data, topics: topics as [Hex, ...Hex[]] })
  if (event.eventName !== 'ReferralPaid') return undefined
  const { account, kind, total } = event.args
  return { account: bonusAccount(account.toLowerCase() as Hex, kind), total }
}

export function bonusAccount(referrer: Hex, kind: number): string {
  return `USDT ${referrer} ${kind}`
}
