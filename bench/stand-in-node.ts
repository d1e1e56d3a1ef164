/**
 * A stand-in for a Tron node that computes its answers: every stake has a fixed place in its chain, so that a block,
 * its logs and its receipts follow from the block's number. Its argument is a `Chain` as JSON. It sends its port to the
 * process that forked it, which then sends the number of each new block; blocks are final immediately.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { rewardPoolAbi, stakingAbi } from '@dct/contract-abi'
import { encodeAbiParameters, encodeEventTopics, type Hex, keccak256, toHex } from 'viem'

export type Chain = {
  staking: Hex
  rewardPool: Hex
  planCode: string
  /** Base units. */
  amount: string
  reward: string
  durationDays: number
  /** Seconds. */
  startsAt: number
  /** The first `blocks` blocks have `stakes` stakes, spread evenly; each later one has `perBlock`. */
  blocks: number
  stakes: number
  perBlock: number
}

const BLOCK_SECONDS = 3
const DAY_SECONDS = 86_400
const [text] = process.argv.slice(2)
if (text === undefined) throw new Error('usage: stand-in-node.ts JSON')
const chain = JSON.parse(text) as Chain
let head = chain.blocks

const uint = (value: number | bigint) => BigInt(value).toString(16)
const word = (value: number | bigint) => uint(value).padStart(16, '0')
const timeOf = (block: number) => chain.startsAt + block * BLOCK_SECONDS
const hashOf = (block: number) => `${word(block)}${'b1'.repeat(24)}`
const txOf = (block: number, stake: number) => `${word(block)}${word(stake)}${'7a'.repeat(16)}`
const stakerOf = (stake: number) => `0x${'5e'.repeat(12)}${word(stake)}` as Hex

/** The numbers of the stakes in a block, from `first` to before `end`. */
function stakesOf(block: number): { first: number; end: number } {
  const { blocks, stakes, perBlock } = chain
  if (block > blocks) {
    const first = stakes + (block - blocks - 1) * perBlock
    return { first, end: first + perBlock }
  }
  return { first: firstOf(block), end: firstOf(block + 1) }
}

const firstOf = (block: number) => Math.ceil(((block - 1) * chain.stakes) / chain.blocks)

type Log = { address: Hex; topics: Hex[]; data: Hex }

function logsOf(block: number, stake: number): [Log, Log] {
  const { staking, rewardPool, planCode } = chain
  const staker = stakerOf(stake)
  const [amount, reward] = [BigInt(chain.amount), BigInt(chain.reward)]
  const start = BigInt(timeOf(block))
  const end = start + BigInt(chain.durationDays * DAY_SECONDS)
  const planKey = keccak256(toHex(planCode))
  return [
    {
      address: rewardPool,
      topics: topicsOf(
        encodeEventTopics({ abi: rewardPoolAbi, eventName: 'RewardReserved', args: { staker } }),
      ),
      data: encodeAbiParameters([{ type: 'string' }, { type: 'uint256' }], [planCode, reward]),
    },
    {
      address: staking,
      topics: topicsOf(
        encodeEventTopics({
          ...{ abi: stakingAbi, eventName: 'Staked' },
          args: { stakeId: BigInt(stake + 1), staker, planKey },
        }),
      ),
      data: encodeAbiParameters(
        [{ type: 'string' }, ...Array.from({ length: 4 }, () => ({ type: 'uint256' }) as const)],
        [planCode, amount, reward, start, end],
      ),
    },
  ]
}

const topicsOf = (topics: readonly unknown[]) => topics as Hex[]

function answerRpc(method: string, params: readonly unknown[]): unknown {
  switch (method) {
    case 'eth_blockNumber':
      return `0x${uint(head)}`
    case 'eth_getBlockByNumber': {
      const number = Number(params[0])
      if (number > head) return null
      return {
        ...{ number: `0x${uint(number)}`, hash: `0x${hashOf(number)}` },
        timestamp: `0x${uint(timeOf(number))}`,
      }
    }
    case 'eth_getLogs':
      return searchLogs(params[0] as { fromBlock: Hex; toBlock: Hex; address: Hex[] })
    default:
      throw new Error(`the stand-in does not support ${method}`)
  }
}

function searchLogs(search: { fromBlock: Hex; toBlock: Hex; address: Hex[] }) {
  const found: object[] = []
  for (let block = Number(search.fromBlock); block <= Number(search.toBlock); block += 1) {
    const { first, end } = stakesOf(block)
    for (let stake = first; stake < end; stake += 1) {
      logsOf(block, stake).forEach((log, at) => {
        if (!search.address.includes(log.address)) return
        found.push({
          ...log,
          ...{ transactionHash: `0x${txOf(block, stake)}`, blockHash: `0x${hashOf(block)}` },
          blockNumber: `0x${uint(block)}`,
          logIndex: `0x${uint((stake - first) * 2 + at)}`,
        })
      })
    }
  }
  return found
}

function answerHttp(path: string, body: { num?: number; value?: string }): unknown {
  switch (path) {
    case '/walletsolidity/getnowblock':
      return solidBlock(head)
    case '/walletsolidity/getblockbynum':
      return solidBlock(body.num ?? 0)
    case '/walletsolidity/gettransactioninfobyid':
      return receiptOf(body.value ?? '')
    default:
      throw new Error(`the stand-in does not support ${path}`)
  }
}

function solidBlock(number: number) {
  const raw_data = { number, timestamp: timeOf(number) * 1_000 }
  return { blockID: hashOf(number), block_header: { raw_data } }
}

function receiptOf(id: string) {
  const block = Number.parseInt(id.slice(0, 16), 16)
  const log = logsOf(block, Number.parseInt(id.slice(16, 32), 16)).map((one) => ({
    address: one.address.slice(2),
    topics: one.topics.map((topic) => topic.slice(2)),
    data: one.data.slice(2),
  }))
  return { id, blockNumber: block, receipt: { result: 'SUCCESS' }, log }
}

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(parts).toString())
    const { id, method, params } = body
    const isRpc = request.url === '/jsonrpc'
    const answer = isRpc
      ? { jsonrpc: '2.0', id, result: answerRpc(method, params) }
      : answerHttp(request.url ?? '', body)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answer))
  })
})
server.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port)
})
process.on('message', (newest: number) => {
  head = newest
})
process.once('disconnect', () => process.exit())
