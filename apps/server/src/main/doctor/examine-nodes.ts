import {
  type ChainReader,
  type GroupNode,
  type LogFilter,
  NodeRefused,
  NodeThrottled,
  NodeUnavailable,
  NotOffered,
} from '@dct/chain-clients'
import type { Clock } from '../../platform/clock.ts'
import { type Chains, MAX_LAG_MS } from '../chains/chains.ts'
import { type Network, networksOf, otherNetwork } from '../chains/networks.ts'
import type { Config } from '../config.ts'
import { advice, type Finding, fault, fine, fineIf } from './finding.ts'

type Deps = { config: Config; chains: Pick<Chains, 'tron' | 'bsc'>; realClock: Clock }

type Expected = {
  chain: 'TRON' | 'BSC'
  network: Network
  filter: LogFilter
  /** The block from which logs of our contracts must be found; undefined if no such block is known. */
  eventsFrom: bigint | undefined
  requestsPerSecond: number
  /** Undefined if block times are not real. */
  now: Date | undefined
}

/** All contracts are deployed within this many blocks. */
const BLOCKS_OF_DEPLOYMENT = 100n
/** The number of blocks between two polls of an idle chain: with a smaller range, each poll takes several requests. */
const LEAST_RANGE = 25n
/** A quota of which less than one part in this many is left is nearly used up. */
const QUOTA_PART = 10
/** A block further ahead of our clock than this shows that our clock is slow. */
const CLOCK_TOLERANCE_MS = 30_000

/** Examines each node: whether it answers, its network, lag, logs and quota. Sets nodes of other networks aside. */
export async function examineNodes({ config, chains, realClock }: Deps): Promise<Finding[]> {
  const { tron, bsc } = chains
  const networks = networksOf(config)
  const shared = {
    requestsPerSecond: config.nodes.requestsPerSecond,
    now: config.mode === 'live' ? realClock.now() : undefined,
  }
  const ofTron: Expected = {
    ...{ ...shared, chain: 'TRON', network: networks.tron },
    filter: { addresses: [tron.rewardPool, tron.staking] },
    eventsFrom: BigInt(config.tron.startBlock),
  }
  const ofBsc: Expected = {
    ...{ ...shared, chain: 'BSC', network: networks.bsc, eventsFrom: undefined },
    filter: { addresses: [bsc.usdt], topics: [[`0x${'00'.repeat(32)}`]] },
  }
  const found = await Promise.all([
    ...tron.readers.nodes.map((node) => examineNode(node, ofTron)),
    ...bsc.readers.nodes.map((node) => examineNode(node, ofBsc)),
  ])
  return [...found.flat(), ...adviseOnNumber(config)]
}

function adviseOnNumber({ tron, bsc, mode }: Config): Finding[] {
  if (mode !== 'live') return []
  const chains = [
    { setting: 'TRON_FULL_HOST', count: tron.nodes.length },
    { setting: 'BSC_RPC', count: bsc.rpcs.length },
  ]
  return chains
    .filter(({ count }) => count === 1)
    .map(({ setting }) =>
      advice(
        'node.alone',
        setting,
        'Names only one node, whose answers nothing confirms: name two, of different providers, before money is at stake.',
      ),
    )
}

async function examineNode(node: GroupNode<ChainReader>, expected: Expected): Promise<Finding[]> {
  const subject = `${expected.chain} ${node.standing.name}`
  const found: Finding[] = []
  try {
    const wrong = await otherNetwork(node.client, expected.network)
    if (wrong !== undefined) {
      node.standing.networkChecked(`${node.standing.name} is ${wrong}.`)
      return [fault('node.network', subject, `It is ${wrong}. Fix ${expected.network.setting}.`)]
    }
    found.push(fine('node.network', subject, `A node of chain ${expected.network.chainId}.`))
    for (const part of [examineHead, examineLogs, examineHoles]) {
      found.push(...(await part(node.client, expected, subject)))
    }
  } catch (error) {
    if (!(error instanceof NodeUnavailable)) throw error
    found.push(failureOf(error, expected, subject))
  }
  return [...found, ...examineQuota(node, expected, subject)]
}

function failureOf(error: NodeUnavailable, { network }: Expected, subject: string): Finding {
  if (error instanceof NodeRefused) {
    const text = `${error.message}. Fix the key in NODE_HEADERS, TRON_API_KEY or the address, or the plan at the provider.`
    return fault('node.refuses', subject, text)
  }
  if (error instanceof NodeThrottled) {
    const text = `${error.message}. Lower NODE_REQUESTS_PER_SECOND, or choose a larger plan at the provider.`
    return fault('node.throttles', subject, text)
  }
  if (error instanceof NotOffered) {
    const text = `${error.message}. Enable it on your own node, or name a provider that offers it in ${network.setting}.`
    return fault('node.offers', subject, text)
  }
  return fault('node.silent', subject, `${error.message}. Fix ${network.setting}, or the node.`)
}

type Part = (reader: ChainReader, expected: Expected, subject: string) => Promise<Finding[]>

/** On Tron, this needs `/walletsolidity` as well as JSON-RPC. */
const examineHead: Part = async (reader, { chain, now }, subject) => {
  const final = await reader.finalHead()
  if (now === undefined) return [fine('node.lag', subject, `Block ${final.number} is final.`)]
  const ageMs = now.getTime() - final.time.getTime()
  const seconds = Math.round(Math.abs(ageMs) / 1_000)
  if (ageMs < -CLOCK_TOLERANCE_MS) {
    const text = `Its newest final block is ${seconds} s ahead of our clock: synchronise this machine (NTP).`
    return [fault('node.clock', subject, text)]
  }
  const right = `Its newest final block, ${final.number}, is ${seconds} s old.`
  const wrong = `${right} Wait until it has caught up, or name another; if all lag equally, check this machine's clock.`
  return [fineIf(ageMs <= MAX_LAG_MS[chain], { name: 'node.lag', subject, right, wrong })]
}

const examineLogs: Part = async (reader, { filter, network }, subject) => {
  const { number } = await reader.finalHead()
  const range = await reader.logRange(filter, number)
  const right = `It searches ${range} blocks for logs at once.`
  const wrong = `${right} At least ${LEAST_RANGE} are needed: choose another plan, or another provider in ${network.setting}.`
  return [fineIf(range >= LEAST_RANGE, { name: 'node.range', subject, right, wrong })]
}

/** A node can have a block and yet miss its logs in the index, without reporting an error. */
const examineHoles: Part = async (reader, { filter, eventsFrom }, subject) => {
  if (eventsFrom === undefined) return []
  const range = { from: eventsFrom, to: eventsFrom + BLOCKS_OF_DEPLOYMENT - 1n }
  const logs = await reader.logs(filter, range)
  return [
    fineIf(logs.length > 0, {
      ...{ name: 'node.holes', subject, right: 'It finds the events of the deployment.' },
      wrong: `It finds no event of the contracts in blocks ${range.from} to ${range.to}. Either TRON_START_BLOCK is not the block of the deployment, or the node's index of logs has holes, because its JSON-RPC was enabled later.`,
    }),
  ]
}

function examineQuota(
  { standing }: GroupNode<ChainReader>,
  { requestsPerSecond }: Expected,
  subject: string,
): Finding[] {
  const own = `We send at most ${requestsPerSecond} requests a second (NODE_REQUESTS_PER_SECOND)`
  const quota = standing.quota()
  if (quota === undefined) return [fine('node.quota', subject, `${own}.`)]
  const right = `${own}; the provider still allows ${quota.remaining} of ${quota.limit}.`
  const wrong = `${right} Choose a larger plan, or find who else uses the key.`
  const isEnough = quota.remaining * QUOTA_PART >= quota.limit
  return [fineIf(isEnough, { name: 'node.quota', subject, right, wrong })]
}
