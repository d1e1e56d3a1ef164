/** A thief has a key of the service. The contracts bound what it can do; the books must bear the rest. */

import { rewardPoolAbi } from '@dct/contract-abi'
import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import { entitlementOf, payableNow } from '../chains/reward-pool.ts'
import type { Stage } from '../story/stage.ts'
import { PLACES, tronText } from '../world/chains.ts'
import {
  callPool,
  endow,
  fundPlan,
  joinOnChain,
  sendOnTron,
  sendUsdt,
  walletOf,
} from '../world/wallet.ts'
import { choose, type Play } from './act.ts'

/** The thief makes the contract pay a staker part of what has vested. */
export const payWithStolenKey: Play = async (stage, [which, much]) => {
  const { tron } = stage.world.chains
  const { stakes } = tron.state.staking
  if (stakes.length === 0) return
  const { staker, planCode } = choose(stakes, which)
  const { pool } = tron.state
  const due = payableNow(
    { pool, nowS: BigInt(Math.floor(tron.head.time / 1_000)) },
    planCode,
    staker,
  )
  const amount = choose([1n, due / 10n, due / 2n], much)
  if (amount <= 0n || amount > due) return
  const args = [planCode, staker, entitlementOf(pool, planCode, staker).paid, amount]
  callPool(stage.world.chains, pool.operator, 'payReward', args)
  note(stage, `${planCode} ${tronText(staker)}`, amount)
  stage.say(
    `a thief with the operator key pays ${amount} base units to ${tronText(staker)} in ${planCode}`,
  )
}

function note(stage: Stage, subject: string, amount: bigint): void {
  stage.thefts += 1
  stage.coverage.reach('fault', 'stolen operator key')
  stage.stolenDct.set(subject, (stage.stolenDct.get(subject) ?? 0n) + amount)
}

/** The thief sees a payment of the service in the waiting room, and is first with one base unit for the same stake. */
export const outrunPayment: Play = async (stage) => {
  const { tron } = stage.world.chains
  const seen = tron.waiting.filter(
    ({ to, from }) => to === PLACES.pool && from === tron.state.pool.operator,
  )
  for (const { data } of seen) {
    const call = decodeFunctionData({ abi: rewardPoolAbi, data })
    if (call.functionName !== 'payReward') continue
    const [planCode, to, paidBefore, amount] = call.args as readonly [string, Hex, bigint, bigint]
    if (amount <= 1n) continue
    const own = encodeFunctionData({
      abi: rewardPoolAbi,
      functionName: 'payReward',
      args: [planCode, to, paidBefore, 1n],
    })
    sendOnTron(stage.world.chains, tron.state.pool.operator, { to: PLACES.pool, data: own })
    const rushed = tron.waiting.pop()
    if (rushed !== undefined) tron.waiting.unshift(rushed)
    note(stage, `${planCode} ${tronText(to.toLowerCase() as Hex)}`, 1n)
    stage.say(`a thief is first with one base unit before a payment to ${tronText(to)}`)
  }
}

/** Base units: enough to fund any plan. */
const PLENTY = 20_000_000_000n

/** The thief opens a plan with the most that the contract allows, and somebody funds and joins it. */
export const openPlanWithStolenKey: Play = async (stage, [which]) => {
  const { chains } = stage.world
  const code = `THIEF-${stage.thefts + 1}`
  const [days, bps] = choose(
    [
      [36_500n, 1_825_000n],
      [20_001n, 1_000_050n],
      [30n, 1_500n],
    ] as const,
    which,
  )
  const accomplice = walletOf('accomplice')
  endow(chains, accomplice)
  chains.tron.state.token.balances.set(accomplice.address, PLENTY)
  callPool(chains, chains.tron.state.pool.operator, 'openPlan', [code, days, bps])
  fundPlan(chains, accomplice, { plan: code, amount: PLENTY / 2n })
  stage.world.mine(1)
  joinOnChain(chains, accomplice, { amount: 10_000_000n, plan: code, days: Number(days) })
  stage.thefts += 1
  stage.coverage.reach('fault', 'stolen operator key')
  stage.say(`a thief opens the plan ${code} (${days} days, ${bps} bps), and an accomplice joins it`)
}

/** The thief takes USDT with the payout key. */
export const takeUsdt: Play = async (stage, [much]) => {
  const { bsc } = stage.world.chains
  const { payout } = stage.world.installation.places
  const held = bsc.state.usdt.balances.get(payout) ?? 0n
  const value = held / BigInt(choose([2, 10, 100], much))
  if (value === 0n) return
  sendUsdt(stage.world.chains, payout, { to: walletOf('thief').address, value })
  stage.stolenUsdt += value
  stage.thefts += 1
  stage.coverage.reach('fault', 'stolen payout key')
  stage.say(`a thief takes ${value} base units of USDT from the vault`)
}
