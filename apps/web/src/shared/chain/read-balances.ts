import type { TronNode } from './injected.ts'
import { readTrxBalance } from './read-account.ts'
import { readDecimals, readTokenBalance } from './read-token.ts'

/** A wallet's balances in base units; `tokenDecimals` is read from the token's contract. */
export type Balances = { token: bigint; tokenDecimals: number; trx: bigint }

/** Reads the token and TRX balances through the wallet's node. @throws NodeError */
export async function readBalances(
  node: TronNode,
  input: { token: string; owner: string },
): Promise<Balances> {
  const [tokenDecimals, token, trx] = await Promise.all([
    readDecimals(node, { token: input.token, from: input.owner }),
    readTokenBalance(node, input),
    readTrxBalance(node, input.owner),
  ])
  return { token, tokenDecimals, trx }
}
