import { readNumber } from './call-contract.ts'
import type { TronNode } from './injected.ts'

/** Whether the contract shows a stake of `owner` in a plan, running or ended. @throws NodeError */
export async function hasStake(
  node: TronNode,
  input: { staking: string; owner: string; planCode: string },
): Promise<boolean> {
  const stakeId = await readNumber(node, input.owner, {
    contract: input.staking,
    selector: 'stakeOf(address,string)',
    args: [
      { type: 'address', value: input.owner },
      { type: 'string', value: input.planCode },
    ],
  })
  return stakeId !== 0n
}
