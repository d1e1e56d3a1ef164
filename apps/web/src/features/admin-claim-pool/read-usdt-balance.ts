import { formatUnits } from '@dct/money'

/** The selector of `balanceOf(address)`: the first bytes of its hash. */
const BALANCE_OF = '0x70a08231'
const WORD_DIGITS = 64

type BalanceSource = { rpc: string; usdt: string; decimals: number; owner: string }

/**
 * Reads an address's USDT balance at a BSC node's latest block, as a decimal.
 * @throws Error when the node does not answer or the answer is not a number
 */
export async function readUsdtBalance(
  { rpc, usdt, decimals, owner }: BalanceSource,
  signal: AbortSignal,
): Promise<string> {
  const data = BALANCE_OF + owner.slice(2).toLowerCase().padStart(WORD_DIGITS, '0')
  const response = await fetch(rpc, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: [{ to: usdt, data }, 'latest'],
    }),
    signal,
  })
  const { result }: { result?: unknown } = await response.json()
  if (typeof result !== 'string' || !/^0x[0-9a-f]{64}$/i.test(result)) {
    throw new Error('The BSC node returned no balance')
  }
  return formatUnits(BigInt(result), decimals)
}
