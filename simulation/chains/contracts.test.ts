import { rewardPoolAbi, stakingAbi, tokenAbi } from '@dct/contract-abi'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { type Chain, useChain } from '../../contracts/test/support/chain.ts'
import {
  ALICE,
  BOB,
  deploySystem,
  deployToken,
  OPERATOR,
  OWNER,
  STRANGER,
  type System,
} from '../../contracts/test/support/system.ts'
import { type Random, randomFrom } from '../world/random.ts'
import { encode } from '../world/wallet.ts'
import { type Call, real, simulated } from './contract-calls.ts'
import { entitlementOf } from './reward-pool.ts'
import { lower } from './token.ts'
import { callTron, type TronState } from './tron-contracts.ts'

const DCT = 1_000_000n
const DAY = 86_400n
const PEOPLE = [ALICE, BOB, STRANGER, OPERATOR] as const

let chain: Chain
let system: System
useChain(async (started) => {
  chain = started
  system = await deploySystem(chain, await deployToken(chain))
  for (const person of PEOPLE) await chain.send(OWNER, system.token, 'mint', [person, 5_000n * DCT])
})

/** The state of the deployed contracts, in TypeScript. */
function twin(): TronState {
  const [token, pool, staking] = [system.token, system.pool, system.staking].map(({ address }) =>
    lower(address),
  )
  if (token === undefined || pool === undefined || staking === undefined)
    throw new Error('deployed')
  const balances = new Map(PEOPLE.map((person) => [lower(person), 5_000n * DCT]))
  const nowhere: Hex = `0x${'00'.repeat(20)}`
  return {
    token: { address: token, decimals: 6, balances, allowances: new Map() },
    pool: {
      ...{
        address: pool,
        owner: lower(OWNER),
        operator: lower(OPERATOR),
        staking,
        isPaused: false,
      },
      limits: { maxDailyBps: 50n, minDurationDays: 30n },
      ...{ plans: new Map(), entitlements: new Map() },
    },
    staking: { address: staking, stakes: [] },
    pair: { address: nowhere, usdt: nowhere, reserves: { dct: 1n, usdt: 1n } },
    trx: new Map(),
  }
}

function drawCall(random: Random, state: TronState): Call {
  const { token, pool, staking } = state
  const [from, to] = [random.pick(PEOPLE), random.pick(PEOPLE)].map(lower)
  if (from === undefined || to === undefined) throw new Error('people')
  const code = random.pick(['A', 'B', 'a'])
  const amount = BigInt(random.below(60)) * DCT + BigInt(random.below(3))
  const days = random.pick([30n, 40n, 29n, 40_000n])
  const operator = random.chance(0.9) ? lower(OPERATOR) : from
  const isPaused = random.chance(0.5)
  const paid = entitlementOf(pool, code, to).paid
  const payment = [code, to, random.chance(0.8) ? paid : paid + 1n, amount / 40n]
  return random.pick<() => Call>([
    () => ({
      from,
      to: token.address,
      data: encode(tokenAbi, 'approve', [
        random.pick([pool.address, staking.address]),
        amount * 9n,
      ]),
    }),
    () => ({ from, to: token.address, data: encode(tokenAbi, 'transfer', [to, amount]) }),
    () => ({
      from,
      to: pool.address,
      data: encode(rewardPoolAbi, 'addRewardForPlan', [code, amount * 3n]),
    }),
    () => ({
      from: operator,
      to: pool.address,
      data: encode(rewardPoolAbi, 'openPlan', [code, days, days * random.pick([20n, 50n, 51n])]),
    }),
    () => ({ from: operator, to: pool.address, data: encode(rewardPoolAbi, 'closePlan', [code]) }),
    () => ({
      from,
      to: staking.address,
      data: encode(stakingAbi, 'joinStake', [amount, code, days]),
    }),
    () => ({
      from,
      to: staking.address,
      data: encode(stakingAbi, 'joinStake', [amount, code, days]),
    }),
    () => ({
      from,
      to: staking.address,
      data: encode(stakingAbi, 'release', [BigInt(random.below(5))]),
    }),
    () => ({ from: operator, to: pool.address, data: encode(rewardPoolAbi, 'payReward', payment) }),
    () => ({ from: operator, to: pool.address, data: encode(rewardPoolAbi, 'payReward', payment) }),
    () => ({
      from: lower(OWNER),
      to: pool.address,
      data: encode(rewardPoolAbi, isPaused ? 'pausePayouts' : 'unpausePayouts', []),
    }),
  ])()
}

/** Events of approvals and of a pause mean nothing to anybody. */
const SILENT = new Set(
  ['approve', 'pausePayouts', 'unpausePayouts'].map((name) =>
    encode([...tokenAbi, ...rewardPoolAbi], name, name === 'approve' ? [OWNER, 0n] : []).slice(
      0,
      10,
    ),
  ),
)

test.each([1, 2, 3])(
  'the contracts in TypeScript do what those in Solidity do, call by call (%i)',
  async (seed) => {
    const random = randomFrom(seed)
    const state = twin()
    let time = await chain.now()
    let done = 0
    for (let calls = 0; calls < 150; calls += 1) {
      time += random.pick([1n, 3_600n, DAY, 12n * DAY])
      const call = drawCall(random, state)
      await chain.at(time)
      const [expected, found] = [
        await real(chain, call),
        simulated(state, (trial) => callTron(trial, { ...call, time: Number(time) * 1_000 })),
      ]
      if (typeof expected === 'string') expect(found, `call ${calls}: ${call.data}`).toBe(expected)
      else if (!SILENT.has(call.data.slice(0, 10)))
        expect(found, `call ${calls}: ${call.data}`).toEqual(expected)
      if (typeof expected !== 'string') done += 1
    }
    expect(done).toBeGreaterThan(20)
  },
)
