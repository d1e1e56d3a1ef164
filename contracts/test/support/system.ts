import { devTokenAbi, rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import { devTokenBytecode, rewardPoolBytecode, stakingBytecode } from '@dct/contract-abi/bytecode'
import { type Address, type Hex, maxUint256 } from 'viem'
import { addressOf, type Chain, type Contract } from './chain.ts'

/** One DCT in base units. */
export const DCT = 1_000_000n
export const DAY = 86_400n

export const OWNER = addressOf('owner')
export const OPERATOR = addressOf('operator')
export const FUNDER = addressOf('funder')
export const ALICE = addressOf('alice')
export const BOB = addressOf('bob')
export const STRANGER = addressOf('stranger')

export const PLAN = 'PLAN-360'
export const PLAN_DAYS = 360n
export const PLAN_BPS = 7_200n

export type Token = Contract<typeof devTokenAbi>
export type System = Awaited<ReturnType<typeof deploySystem>>
export type Bytecodes = { readonly rewardPool: Hex; readonly staking: Hex }

export const CHECKED_IN: Bytecodes = { rewardPool: rewardPoolBytecode, staking: stakingBytecode }

export async function deployToken(chain: Chain): Promise<Token> {
  return chain.deploy(OWNER, { abi: devTokenAbi, bytecode: devTokenBytecode, args: [OWNER] })
}

/** Deploys pool and staking contract in the documented order, not yet bound to each other. */
export async function deployContracts(
  chain: Chain,
  token: Address,
  { owner, operator }: { owner: Address; operator: Address },
  bytecodes: Bytecodes,
) {
  const pool = await chain.deploy(owner, {
    abi: rewardPoolAbi,
    bytecode: bytecodes.rewardPool,
    args: [token, owner, operator],
  })
  const staking = await chain.deploy(owner, {
    abi: stakingAbi,
    bytecode: bytecodes.staking,
    args: [token, pool.address, owner],
  })
  return { pool, staking }
}

/** Deploys all contracts with owner and operator, bound to each other. No plan is open. */
export async function deploySystem(chain: Chain, token: Token) {
  const roles = { owner: OWNER, operator: OPERATOR }
  const { pool, staking } = await deployContracts(chain, token.address, roles, CHECKED_IN)
  await chain.send(OWNER, pool, 'bindStaking', [staking.address])
  return { token, pool, staking }
}

/** Gives an account tokens and approves both contracts. */
export async function givenHolder(chain: Chain, system: System, holder: Address, amount: bigint) {
  const { token, pool, staking } = system
  await chain.send(OWNER, token, 'mint', [holder, amount])
  await chain.send(holder, token, 'approve', [staking.address, maxUint256])
  await chain.send(holder, token, 'approve', [pool.address, maxUint256])
}

export async function givenFundedPlan(
  chain: Chain,
  system: System,
  plan: { code?: string; days?: bigint; bps?: bigint; funds?: bigint } = {},
) {
  const { code = PLAN, days = PLAN_DAYS, bps = PLAN_BPS, funds = 10_000n * DCT } = plan
  await chain.send(OPERATOR, system.pool, 'openPlan', [code, days, bps])
  if (funds === 0n) return
  await givenHolder(chain, system, FUNDER, funds)
  await chain.send(FUNDER, system.pool, 'addRewardForPlan', [code, funds])
}

/** Joins a plan, in a block at the time `at` if given. @returns the stake's id and start */
export async function givenStake(
  chain: Chain,
  system: System,
  stake: { staker: Address; amount?: bigint; code?: string; days?: bigint; at?: bigint },
): Promise<{ stakeId: bigint; start: bigint }> {
  const { staker, amount = 50n * DCT, code = PLAN, days = PLAN_DAYS } = stake
  await givenHolder(chain, system, staker, amount)
  if (stake.at !== undefined) await chain.at(stake.at)
  await chain.send(staker, system.staking, 'joinStake', [amount, code, days])
  const stakeId = await chain.client.readContract({ ...system.staking, functionName: 'stakeCount' })
  return { stakeId, start: await chain.now() }
}

export function balanceOf(chain: Chain, token: Token, account: Address): Promise<bigint> {
  return chain.client.readContract({ ...token, functionName: 'balanceOf', args: [account] })
}

/** All figures that a refused call might have changed, for comparison before and after. */
export async function moneyOf(chain: Chain, system: System, code = PLAN) {
  const { token, pool, staking } = system
  const [inStaking, inPool, totalLocked, stakeCount, plan] = await Promise.all([
    balanceOf(chain, token, staking.address),
    balanceOf(chain, token, pool.address),
    chain.client.readContract({ ...staking, functionName: 'totalLocked' }),
    chain.client.readContract({ ...staking, functionName: 'stakeCount' }),
    chain.client.readContract({ ...pool, functionName: 'plans', args: [code] }),
  ])
  return { inStaking, inPool, totalLocked, stakeCount, plan }
}
