import { setTimeout as sleep } from 'node:timers/promises'
import { type ChainLog, NodeUnavailable } from '@dct/chain-clients'
import { encodeCall } from '@dct/chain-clients/senders/index'
import { stakingAbi, tokenAbi } from '@dct/contract-abi'
import { decodeEventLog, decodeFunctionResult, encodeEventTopics, type Hex, pad } from 'viem'
import { bytesOf, hexOf } from '../../modules/chain/index.ts'
import type { DctMove, HoldingReaders } from '../../modules/plans/index.ts'
import { invariant } from '../../platform/errors.ts'
import type { Chains } from './chains.ts'

type Reading = { tron: Pick<Chains['tron'], 'reader' | 'token' | 'staking'> }
type Range = { from: bigint; to: bigint }

const [TRANSFER] = encodeEventTopics({ abi: tokenAbi, eventName: 'Transfer' })
const [STAKED] = encodeEventTopics({ abi: stakingAbi, eventName: 'Staked' })
/** The most addresses in one search for logs. */
const MOST_ADDRESSES = 1_000
/** How often a node that is behind is polled for a block that another node has reported. */
const MOST_TRIES = 10
const PAUSE_BETWEEN_TRIES_MS = 500

/** The readings that show whether an address can still fill its reservation. Each throws if no node answers. */
export function holdingReaders(chains: Reading): HoldingReaders {
  return {
    readNewestBlock: (known) => readNewestBlock(chains, known),
    readFinalDct: (address) => readFinalDct(chains, address),
    async readDctMoves({ addresses, ...range }) {
      const moves = groupsOf(addresses).map((group) => readMoves(chains, group, range))
      return (await Promise.all(moves)).flat()
    },
  }
}

async function readNewestBlock({ tron }: Reading, known: bigint): Promise<bigint> {
  for (let tries = 1; ; tries += 1) {
    const newest = await tron.reader.headNumber()
    if (newest >= known) return newest
    if (tries === MOST_TRIES) throw new NodeUnavailable(`a node is behind block ${known}`)
    await sleep(PAUSE_BETWEEN_TRIES_MS)
  }
}

async function readFinalDct({ tron }: Reading, address: Buffer) {
  const data = encodeCall(tokenAbi, 'balanceOf', [hexOf(address)])
  const { at, results } = await tron.reader.finalCall([{ to: tron.token, data }])
  const [output] = results
  invariant(output !== undefined, 'a call has a result')
  const held = decodeFunctionResult({ abi: tokenAbi, functionName: 'balanceOf', data: output })
  return { held, heldBlock: at.number }
}

async function readMoves(
  { tron: { reader, token, staking } }: Reading,
  addresses: readonly Buffer[],
  range: Range,
): Promise<DctMove[]> {
  const holders = addresses.map((address) => pad(hexOf(address)))
  const [sent, gained] = await Promise.all([
    reader.logs({ addresses: [token], topics: [TRANSFER, holders] }, range),
    reader.logs(
      { addresses: [token, staking], topics: [[TRANSFER, STAKED], null, holders] },
      range,
    ),
  ])
  return [...sent.map(sendOf), ...gained.map(gainOf)]
}

function sendOf(log: ChainLog): DctMove {
  const { from, value } = transferOf(log)
  return { block: log.blockNumber, address: bytesOf(from), amount: -value }
}

function gainOf(log: ChainLog): DctMove {
  const block = log.blockNumber
  if (log.topics[0] === STAKED) {
    const { staker, amount, planCode } = decodeEventLog({
      ...{ abi: stakingAbi, eventName: 'Staked', data: log.data },
      topics: topicsOf(log),
    }).args
    return { block, address: bytesOf(staker), amount, planCode }
  }
  const { to, value } = transferOf(log)
  return { block, address: bytesOf(to), amount: value }
}

function transferOf(log: ChainLog) {
  const { data } = log
  return decodeEventLog({ abi: tokenAbi, eventName: 'Transfer', data, topics: topicsOf(log) }).args
}

function topicsOf({ topics: [signature, ...rest] }: ChainLog): [Hex, ...Hex[]] {
  invariant(signature !== undefined, 'a log that was found by its signature has one')
  return [signature, ...rest]
}

function groupsOf(addresses: readonly Buffer[]): Buffer[][] {
  const count = Math.ceil(addresses.length / MOST_ADDRESSES)
  return Array.from({ length: count }, (_, at) =>
    addresses.slice(at * MOST_ADDRESSES, (at + 1) * MOST_ADDRESSES),
  )
}
