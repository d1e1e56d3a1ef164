import type { BlockRef, ChainReader } from '@dct/chain-clients'
import { payoutVaultAbi, rewardPoolAbi, stakingAbi, tokenAbi } from '@dct/contract-abi'
import { publishedDay } from '@dct/rules/sum-tree'
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
} from 'viem'
import type { StatedOwed } from './judge-owed.ts'

export type PlanBooks = {
  readonly code: string
  readonly durationDays: number
  readonly totalBps: number
  readonly funded: bigint
  readonly withdrawn: bigint
  readonly reserved: bigint
  readonly paid: bigint
}

export type WalletStake = {
  readonly plan: PlanBooks
  readonly id: bigint
  /** DCT base units. */
  readonly amount: bigint
  readonly reward: bigint
  readonly start: Date
  readonly end: Date
  readonly isReleased: boolean
  /** What the reward pool keeps of this stake. */
  readonly promised: bigint
  readonly paid: bigint
  readonly payableNow: bigint
}

/** What the contracts on Tron say about one wallet, at final blocks. */
export type WalletFacts = {
  readonly at: BlockRef
  readonly decimals: number
  readonly stakes: readonly WalletStake[]
  readonly plans: readonly PlanBooks[]
  readonly totalLocked: bigint
  readonly stakingHolds: bigint
  readonly poolHolds: bigint
}

type Question = {
  tron: Pick<ChainReader, 'finalCall'>
  staking: Hex
  wallet: Hex
  planCodes: readonly string[]
}

type View = 'view' | 'pure'

/** Reads everything about a wallet from the staking contract and what it names; trusts the node and nothing else. */
export async function readWallet({
  tron,
  staking,
  wallet,
  planCodes,
}: Question): Promise<WalletFacts> {
  const ask = askOf(tron)
  const [pool, token] = [
    await ask(staking, stakingAbi, 'rewardPool', []),
    await ask(staking, stakingAbi, 'token', []),
  ]
  const plans: PlanBooks[] = []
  const stakes: WalletStake[] = []
  for (const code of planCodes) {
    const plan = { code, ...(await ask(pool, rewardPoolAbi, 'plans', [code])) }
    plans.push(plan)
    const id = await ask(staking, stakingAbi, 'stakeOf', [wallet, code])
    if (id === 0n) continue
    const stake = await ask(staking, stakingAbi, 'stakes', [id])
    const entitlement = await ask(pool, rewardPoolAbi, 'entitlementOf', [code, wallet])
    stakes.push({
      ...{ plan, id, amount: stake.amount, reward: stake.reward, isReleased: stake.released },
      start: new Date(stake.start * 1000),
      end: new Date(stake.end * 1000),
      promised: entitlement.reward,
      paid: entitlement.paid,
      payableNow: await ask(pool, rewardPoolAbi, 'payableNow', [code, wallet]),
    })
  }
  return {
    ...{ plans, stakes, at: (await tron.finalCall([])).at },
    decimals: await ask(token, tokenAbi, 'decimals', []),
    totalLocked: await ask(staking, stakingAbi, 'totalLocked', []),
    stakingHolds: await ask(token, tokenAbi, 'balanceOf', [staking]),
    poolHolds: await ask(token, tokenAbi, 'balanceOf', [pool]),
  }
}

/** What the vault holds (USDT base units), and what it states of a day, at a final block of BSC. */
export async function readVault(
  bsc: Pick<ChainReader, 'finalCall'>,
  { vault, usdt, day }: { vault: Hex; usdt: Hex; day: string },
): Promise<{ held: bigint; stated: StatedOwed }> {
  const ask = askOf(bsc)
  const { root, sum, times } = await ask(vault, payoutVaultAbi, 'owedOn', [publishedDay(day)])
  const held = await ask(usdt, tokenAbi, 'balanceOf', [vault])
  return { held, stated: { root: root.slice(2), sum, times } }
}

function askOf(reader: Pick<ChainReader, 'finalCall'>) {
  return async <
    const A extends Abi,
    N extends ContractFunctionName<A, View>,
    const P extends ContractFunctionArgs<A, View, N>,
  >(
    to: Hex,
    abi: A,
    functionName: N,
    args: P,
  ): Promise<ContractFunctionReturnType<A, View, N, P>> => {
    const call = { abi, functionName, args } as Parameters<typeof encodeFunctionData>[0]
    const { results } = await reader.finalCall([{ to, data: encodeFunctionData(call) }])
    const [data = '0x'] = results
    return decodeFunctionResult({ ...call, data }) as ContractFunctionReturnType<A, View, N, P>
  }
}
