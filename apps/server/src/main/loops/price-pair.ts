import { type ChainReader, NodeUnavailable } from '@dct/chain-clients'
import { PRICE_DECIMALS } from '@dct/rules/constants'
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { createPairLoop, type PairReading } from '../../modules/pricing/index.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { readDecimals } from '../check-installation.ts'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { StartError } from '../start-error.ts'
import { tronHexOf } from '../tron-addresses.ts'

/** The views that the pairs of SunSwap V2 and other descendants of Uniswap V2 have. */
const PAIR_ABI = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 updatedAt)',
])

/** The pause between two samples: about twenty blocks. */
const PAUSE_MS = 60_000

type Pair = NonNullable<Config['money']['pair']>
type Reading = { reader: ChainReader; token: Hex; dctDecimals: number }

/**
 * Checks the pair's tokens, once.
 * @returns a function that reads the pair at the newest final block
 * @throws StartError if it is not a pair of DCT and that USDT
 */
export async function openPair(
  { reader, token, dctDecimals }: Reading,
  pair: Pair,
): Promise<() => Promise<PairReading>> {
  const address = tronHexOf(pair.address)
  const names = ['token0', 'token1'] as const
  const tokens = await readTokens(reader, address, names)
  const dctPlace = tokens.indexOf(token)
  const usdt = tokens[1 - dctPlace]
  const usdtDecimals = usdt === undefined ? undefined : await readDecimals(reader, usdt)
  if (
    dctPlace < 0 ||
    usdtDecimals === undefined ||
    (pair.usdt !== undefined && usdt !== tronHexOf(pair.usdt))
  ) {
    throw new StartError(
      `PRICE_PAIR (${pair.address}) is not a pair of TRON_TOKEN and USDT on this network.`,
    )
  }
  const call = {
    to: address,
    data: encodeFunctionData({ abi: PAIR_ABI, functionName: 'getReserves' }),
  }
  return async () => {
    const { at, results } = await reader.finalCall([call])
    const [data = '0x'] = results
    const reserves = decodeFunctionResult({ abi: PAIR_ABI, functionName: 'getReserves', data })
    const [dct, quote] = dctPlace === 0 ? [reserves[0], reserves[1]] : [reserves[1], reserves[0]]
    const scale = 10n ** BigInt(PRICE_DECIMALS + dctDecimals)
    const price = dct === 0n ? 0n : (quote * scale) / (dct * 10n ** BigInt(usdtDecimals))
    const usdtHeld = price === 0n ? 0n : quote / 10n ** BigInt(usdtDecimals)
    return { block: at.number, at: at.time, price, usdt: usdtHeld }
  }
}

async function readTokens(
  reader: ChainReader,
  pair: Hex,
  names: readonly ('token0' | 'token1')[],
): Promise<Hex[]> {
  try {
    const calls = names.map((functionName) => ({
      to: pair,
      data: encodeFunctionData({ abi: PAIR_ABI, functionName }),
    }))
    const { results } = await reader.finalCall(calls)
    return results.map((data, place) =>
      decodeFunctionResult({
        abi: PAIR_ABI,
        functionName: names[place] ?? 'token0',
        data,
      }).toLowerCase(),
    ) as Hex[]
  } catch (error) {
    if (error instanceof NodeUnavailable && !error.isAnswer) throw error
    return []
  }
}

/** The loop that follows the pair that the settings name, if any. Its first step checks the pair's tokens. */
export function pairLoops(context: Context): Loop[] {
  const { db, clock, chains, dctDecimals, priceMaxAgeMs, config } = context
  const { pair } = config.money
  if (pair === undefined) return []
  const { reader, token } = chains.tron
  let opened: ReturnType<typeof openPair> | undefined
  const readPair = async () => {
    opened ??= openPair({ reader, token, dctDecimals }, pair)
    try {
      return await (await opened)()
    } catch (error) {
      opened = undefined
      if (!(error instanceof StartError)) throw error
      throw new NodeUnavailable(error.message)
    }
  }
  const pauseMs = PAUSE_MS
  return [createPairLoop({ db, clock, rules: pair.rules, priceMaxAgeMs, readPair, pauseMs })]
}
