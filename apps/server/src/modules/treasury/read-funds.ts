import type { FundName } from '@dct/api-contract/operations'
import { type EvmNode, NodeUnavailable, type TronNode } from '@dct/chain-clients'
import type { Hex } from 'viem'
import { type ContractsDeps, readContracts, readWallets } from '../audit/index.ts'

export type FundsDeps = {
  tron: ContractsDeps['tron'] & { node: TronNode }
  bsc: ContractsDeps['bsc'] & { node: EvmNode }
  /** 20 bytes as hex: who signs on Tron, and on BSC. */
  operator: Hex
  payoutOperator: Hex
}

/** Amounts in base units; undefined where no node answered. */
export type Reading = { name: string; amount: bigint | undefined }

/** The name of the reading for a plan's share of the reward pool. */
export function poolOf(planCode: string): string {
  return `reward_pool:${planCode}`
}

/** Reads the balances of our contracts and wallets. Where a node does not answer, its figures are undefined. */
export async function readFunds(deps: FundsDeps, planCodes: readonly string[]): Promise<Reading[]> {
  const pools = planCodes.map(poolOf)
  const named = (...names: FundName[]) => names
  const groups = await Promise.all([
    ask([...named('reward_pool', 'staking'), ...pools], async () => {
      const { poolHolds, stakingHolds, plans } = await readContracts(deps, planCodes)
      const left = plans.map(({ funded, withdrawn, paid }) => funded - withdrawn - paid)
      return [poolHolds, stakingHolds, ...left]
    }),
    ask(named('operator_trx'), async () => [(await deps.tron.node.resources(deps.operator)).sun]),
    ask(named('payout_usdt', 'fee_receiver_usdt'), async () => {
      const { vaultHolds, receiverHolds } = await readWallets(deps)
      return [vaultHolds, receiverHolds]
    }),
    ask(named('payout_bnb'), async () => [await deps.bsc.node.balanceOf(deps.payoutOperator)]),
  ])
  return groups.flat()
}

async function ask(names: readonly string[], read: () => Promise<bigint[]>): Promise<Reading[]> {
  try {
    const amounts = await read()
    return names.map((name, index) => ({ name, amount: amounts[index] }))
  } catch (error) {
    if (!(error instanceof NodeUnavailable)) throw error
    return names.map((name) => ({ name, amount: undefined }))
  }
}
