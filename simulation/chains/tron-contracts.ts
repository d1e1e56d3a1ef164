/** The state of the Tron chain, and what contracts/src/Staking.sol does. contracts.test.ts compares the two. */

import { stakingAbi } from '@dct/contract-abi'
import { type Hex, keccak256, stringToHex } from 'viem'
import { event, Reverted, readCall, result } from './abi.ts'
import type { Log, Outcome, Transaction } from './chain.ts'
import { copyOf } from './copy.ts'
import { callPair, callPairUsdt, type PairState } from './price-pair.ts'
import { callPool, type PoolState, reserve } from './reward-pool.ts'
import { callToken, type Effect, lower, move, pull, type TokenState } from './token.ts'

const DCT = 1_000_000n
const [MINIMUM, MAXIMUM] = [10n * DCT, 50n * DCT]
const DAY_S = 86_400n
const NOBODY: Hex = `0x${'00'.repeat(20)}`

export type Stake = {
  staker: Hex
  amount: bigint
  reward: bigint
  start: bigint
  end: bigint
  released: boolean
  planCode: string
}
export type TronState = {
  token: TokenState
  pool: PoolState
  staking: { address: Hex; stakes: Stake[] }
  pair: PairState
  /** Sun. */
  trx: Map<Hex, bigint>
}
export type TronCall = { from: Hex; to: Hex; data: Hex; time: number }

/** Energy of a call and its price: constants, and so low that a fee's part for energy covers a call. */
export const ENERGY = 60_000n
export const ENERGY_SUN = 5n

/** @throws Reverted */
export function callTron(state: TronState, call: TronCall): Effect {
  const { from, to, data } = call
  const nowS = BigInt(Math.floor(call.time / 1_000))
  if (to === state.token.address) return callToken(state.token, from, data)
  if (to === state.pool.address)
    return callPool({ pool: state.pool, token: state.token, from, nowS }, data)
  if (to === state.staking.address) return callStaking(state, { from, nowS }, data)
  if (to === state.pair.address) return callPair(state.pair, state.token.address, data)
  if (to === state.pair.usdt) return callPairUsdt()
  return { output: '0x', logs: [] }
}

/** Runs a transaction: all of it or, if it fails, only its fee. */
export function runOnTron(
  state: TronState,
  { from, to, data }: Transaction,
  { time }: { time: number },
): Outcome {
  const fee = ENERGY * ENERGY_SUN
  const sun = state.trx.get(from) ?? 0n
  if (sun < fee) {
    state.trx.set(from, 0n)
    return { succeeded: false, failure: 'OUT_OF_ENERGY', output: '0x', logs: [], fee: sun }
  }
  const trial = copyOf(state)
  try {
    const { output, logs } = callTron(trial, { from, to, data, time })
    Object.assign(state, trial)
    state.trx.set(from, sun - fee)
    return { succeeded: true, failure: null, output, logs, fee }
  } catch (error) {
    if (!(error instanceof Reverted)) throw error
    state.trx.set(from, sun - fee)
    return { succeeded: false, failure: 'REVERT', output: error.data, logs: [], fee }
  }
}

type StakingCall = { from: Hex; nowS: bigint }

function callStaking(state: TronState, call: StakingCall, data: Hex): Effect {
  const { name, args } = readCall(stakingAbi, data)
  if (name === 'joinStake') return join(state, call, args)
  if (name === 'release') return { output: '0x', logs: release(state, call, args[0] as bigint) }
  return { output: result(stakingAbi, name, viewStaking(state, name, args)), logs: [] }
}

function viewStaking(
  { staking, pool, token }: TronState,
  name: string,
  args: readonly unknown[],
): unknown {
  const { stakes } = staking
  switch (name) {
    case 'rewardPool':
      return pool.address
    case 'token':
      return token.address
    case 'stakeCount':
      return BigInt(stakes.length)
    case 'totalLocked':
      return stakes.reduce((sum, one) => sum + (one.released ? 0n : one.amount), 0n)
    case 'minAmount':
      return MINIMUM
    case 'maxAmount':
      return MAXIMUM
    case 'paused':
      return false
    case 'stakeOf':
      return BigInt(
        stakes.findIndex((one) => one.staker === lower(args[0]) && one.planCode === args[1]) + 1,
      )
    case 'stakes': {
      const none = {
        staker: NOBODY,
        amount: 0n,
        reward: 0n,
        start: 0n,
        end: 0n,
        released: false,
        planCode: '',
      }
      const found = stakes[Number(args[0]) - 1] ?? none
      return { ...found, start: Number(found.start), end: Number(found.end) }
    }
    default:
      throw new Reverted(stakingAbi, 'Staking_ZeroAddress')
  }
}

function join(state: TronState, { from, nowS }: StakingCall, args: readonly unknown[]): Effect {
  const { staking, token, pool } = state
  const [amount, planCode, days] = [args[0] as bigint, String(args[1]), args[2] as bigint]
  if (amount < MINIMUM || amount > MAXIMUM)
    throw new Reverted(stakingAbi, 'Staking_AmountOutOfRange', [amount])
  const known = staking.stakes.findIndex((one) => one.staker === from && one.planCode === planCode)
  if (known >= 0) throw new Reverted(stakingAbi, 'Staking_AlreadyStaked', [BigInt(known + 1)])
  const reserved = reserve(
    { pool, token, from: staking.address, nowS },
    { code: planCode, staker: from, amount, days },
  )
  const [start, end] = [nowS, nowS + days * DAY_S]
  const { reward } = reserved
  staking.stakes.push({ staker: from, amount, reward, start, end, released: false, planCode })
  const stakeId = BigInt(staking.stakes.length)
  const moved = pull(token, { from, to: staking.address, value: amount })
  const planKey = keccak256(stringToHex(planCode))
  const facts = { stakeId, staker: from, planKey, planCode, amount, reward, start, end }
  const staked = event(stakingAbi, staking.address, 'Staked', facts)
  return { output: result(stakingAbi, 'joinStake', stakeId), logs: [reserved.log, moved, staked] }
}

function release({ staking, token }: TronState, { nowS }: StakingCall, stakeId: bigint): Log[] {
  const stake = staking.stakes[Number(stakeId) - 1]
  if (stake === undefined) throw new Reverted(stakingAbi, 'Staking_UnknownStake', [stakeId])
  if (stake.released) throw new Reverted(stakingAbi, 'Staking_AlreadyReleased', [stakeId])
  if (nowS < stake.end) throw new Reverted(stakingAbi, 'Staking_NotEnded', [stakeId, stake.end])
  stake.released = true
  const { staker, amount } = stake
  const moved = move(token, { from: staking.address, to: staker, value: amount })
  return [moved, event(stakingAbi, staking.address, 'Released', { stakeId, staker, amount })]
}
