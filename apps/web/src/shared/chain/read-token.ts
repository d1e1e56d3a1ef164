import { readNumber } from './call-contract.ts'
import type { TronNode } from './injected.ts'

const MAX_DECIMALS = 36n

/** Reads the token's decimals from its contract. @throws NodeError */
export async function readDecimals(
  node: TronNode,
  input: { token: string; from: string },
): Promise<number> {
  const decimals = await readNumber(node, input.from, {
    contract: input.token,
    selector: 'decimals()',
    args: [],
  })
  if (decimals > MAX_DECIMALS) throw new RangeError(`A token with ${decimals} decimals`)
  return Number(decimals)
}

/** Reads the owner's balance in base units. @throws NodeError */
export function readTokenBalance(
  node: TronNode,
  input: { token: string; owner: string },
): Promise<bigint> {
  return readNumber(node, input.owner, {
    contract: input.token,
    selector: 'balanceOf(address)',
    args: [{ type: 'address', value: input.owner }],
  })
}

/** Reads how many base units `spender` may still take from `owner`. @throws NodeError */
export function readAllowance(
  node: TronNode,
  input: { token: string; owner: string; spender: string },
): Promise<bigint> {
  return readNumber(node, input.owner, {
    contract: input.token,
    selector: 'allowance(address,address)',
    args: [
      { type: 'address', value: input.owner },
      { type: 'address', value: input.spender },
    ],
  })
}
