import type { AbiArgument } from './abi-codec.ts'

/** A call of one of the product's contracts; addresses in base58. */
export type ContractCall = {
  contract: string
  selector: string
  args: readonly AbiArgument[]
}

/** Approves `spender` for exactly `amount`, never more. */
export function approveCall(token: string, spender: string, amount: bigint): ContractCall {
  return {
    contract: token,
    selector: 'approve(address,uint256)',
    args: [
      { type: 'address', value: spender },
      { type: 'uint256', value: amount },
    ],
  }
}

/** Locks `amount` base units in a plan. */
export function joinStakeCall(
  staking: string,
  join: { amount: bigint; planCode: string; durationDays: number },
): ContractCall {
  return {
    contract: staking,
    selector: 'joinStake(uint256,string,uint256)',
    args: [
      { type: 'uint256', value: join.amount },
      { type: 'string', value: join.planCode },
      { type: 'uint256', value: BigInt(join.durationDays) },
    ],
  }
}

/** Funds a plan's rewards with `amount` base units. */
export function addRewardForPlanCall(
  rewardPool: string,
  funding: { planCode: string; amount: bigint },
): ContractCall {
  return {
    contract: rewardPool,
    selector: 'addRewardForPlan(string,uint256)',
    args: [
      { type: 'string', value: funding.planCode },
      { type: 'uint256', value: funding.amount },
    ],
  }
}
