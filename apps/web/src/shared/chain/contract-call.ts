import { type AbiArgument, encodeArguments } from './abi-codec.ts'
import { addressToHex } from './tron-address.ts'

/** A call of one of the product's contracts; addresses in base58. */
export type ContractCall = {
  contract: string
  selector: string
  args: readonly AbiArgument[]
}

/** A call that can also be sent, for which the first bytes of its selector's hash have to be known. */
export type SendableCall = ContractCall & {
  selectorHex: string
  /** Whether the call returns false, instead of failing, where it does nothing. */
  answersTruth?: boolean
}

/** The fields of a request by which a node runs a call, or prepares its transaction. */
export function requestOf(from: string, { contract, selector, args }: ContractCall) {
  return {
    owner_address: addressToHex(from),
    contract_address: addressToHex(contract),
    function_selector: selector,
    parameter: encodeArguments(args),
    call_value: 0,
  }
}

/** Approves `spender` for exactly `amount`, never more. */
export function approveCall(token: string, spender: string, amount: bigint): SendableCall {
  return {
    contract: token,
    selector: 'approve(address,uint256)',
    selectorHex: '095ea7b3',
    answersTruth: true,
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
): SendableCall {
  return {
    contract: staking,
    selector: 'joinStake(uint256,string,uint256)',
    selectorHex: 'a89c91ff',
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
): SendableCall {
  return {
    contract: rewardPool,
    selector: 'addRewardForPlan(string,uint256)',
    selectorHex: '4d8714f8',
    args: [
      { type: 'string', value: funding.planCode },
      { type: 'uint256', value: funding.amount },
    ],
  }
}
