import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  decodeErrorResult,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type Hex,
} from 'viem'

/** The result of a simulated call: the energy or gas it used and its output, or its revert data. */
export type CallOutcome =
  | { succeeded: true; used: bigint; output: Hex }
  | { succeeded: false; revert: Hex; message: string }

/** Encodes the data of a contract call, typed by the contract's ABI. */
export function encodeCall<
  const A extends Abi,
  N extends ContractFunctionName<A>,
  const P extends ContractFunctionArgs<A, 'nonpayable' | 'payable' | 'view' | 'pure', N>,
>(abi: A, functionName: N, args: P): Hex {
  return encodeFunctionData({ abi, functionName, args } as unknown as EncodeFunctionDataParameters)
}

/** The name of a revert (`RewardPool_NotVested`), or a description when it has none. */
export function decodeRevert(abi: Abi, revert: Hex): string {
  if (revert === '0x') return 'reverted without a reason'
  try {
    const error = decodeErrorResult({ abi, data: revert })
    return error.errorName === 'Error' ? `${error.args?.[0] ?? 'Error'}` : error.errorName
  } catch {
    // An error that is not in this ABI has no name, but it has a selector.
    return `unknown error ${revert.slice(0, 10)}`
  }
}
