import type { InjectedTronWeb } from './injected.ts'
import { readTrxBalance } from './read-account.ts'
import { readDecimals, readTokenBalance } from './read-token.ts'

/** What a wallet holds, in base units; `tokenDecimals` is what the token's contract says. */
export type Balances = { token: bigint; tokenDecimals: number; trx: bigint }

/** Reads the token's and the TRX balance through the wallet. @throws NodeError */
export async function readBalances(
  tronWeb: InjectedTronWeb,
  input: { token: string; owner: string },
): Promise<Balances> {
  const [tokenDecimals, token, trx] = await Promise.all([
    readDecimals(tronWeb, { token: input.token, from: input.owner }),
    readTokenBalance(tronWeb, input),
    readTrxBalance(tronWeb, input.owner),
  ])
  return { token, tokenDecimals, trx }
}
