/** A pool of DCT and USDT on Tron, as exchanges of the Uniswap family have: what the service reads of it. */
import { decodeFunctionData, encodeFunctionResult, type Hex, parseAbi } from 'viem'
import type { Effect } from './token.ts'

const PAIR_ABI = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 updatedAt)',
])
const DECIMALS_ABI = parseAbi(['function decimals() view returns (uint8)'])
const USDT_DECIMALS = 6

export type PairState = { address: Hex; usdt: Hex; reserves: { dct: bigint; usdt: bigint } }

export function callPair({ usdt, reserves }: PairState, token: Hex, data: Hex): Effect {
  const { functionName } = decodeFunctionData({ abi: PAIR_ABI, data })
  const results = {
    token0: token,
    token1: usdt,
    getReserves: [reserves.dct, reserves.usdt, 0] as const,
  }
  const answer = { abi: PAIR_ABI, functionName, result: results[functionName] }
  return {
    output: encodeFunctionResult(answer as Parameters<typeof encodeFunctionResult>[0]),
    logs: [],
  }
}

/** The USDT of the pair is a token of its own; only its decimals are asked for. */
export function callPairUsdt(): Effect {
  return {
    output: encodeFunctionResult({
      abi: DECIMALS_ABI,
      functionName: 'decimals',
      result: USDT_DECIMALS,
    }),
    logs: [],
  }
}
