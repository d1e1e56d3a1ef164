import { type ChainReader, type GroupNode, NodeUnavailable } from '@dct/chain-clients'
import { DECIMALS } from '@dct/money'
import type { Hex } from 'viem'
import type { Loop } from '../../platform/loops/loop.ts'
import { readDecimals } from '../check-installation.ts'
import type { Config } from '../config.ts'
import type { Chains } from './chains.ts'
import { type Network, networksOf, otherNetwork } from './networks.ts'

/** How often nodes that were set aside are looked at. */
const EVERY_MS = 60_000
/** All of them are looked at in each so many. */
const STEPS_OF_ALL = 10

type InspectionDeps = {
  chains: Pick<Chains, 'tron' | 'bsc'>
  config: Pick<Config, 'tron' | 'bsc'>
  dctDecimals: number
}
type Expected = { network: Network; token: Hex; decimals: number }

/**
 * Checks regularly which network every node belongs to, as at the start: an address may come to lead elsewhere. A node
 * of another network is set aside until it belongs to the right one again: a minute, if it has only erred.
 */
export function createNodeInspection(deps: InspectionDeps): Loop {
  const { chains, config, dctDecimals } = deps
  const { tron, bsc } = chains
  const networks = networksOf(config)
  let steps = 0
  return {
    name: 'node inspection',
    runsAtAnyTime: true,
    isDrained: false,
    pauseMs: EVERY_MS,
    async step() {
      const dct = { network: networks.tron, token: tron.token, decimals: dctDecimals }
      const usdt = { network: networks.bsc, token: bsc.usdt, decimals: DECIMALS.USDT }
      const areAllDue = steps % STEPS_OF_ALL === 0
      const isDue = ({ standing }: GroupNode<ChainReader>) =>
        areAllDue || standing.isOnWrongNetwork()
      steps += 1
      for (const node of tron.readers.nodes.filter(isDue)) await inspect(node, dct)
      for (const node of bsc.readers.nodes.filter(isDue)) await inspect(node, usdt)
      return true
    },
  }
}

async function inspect(
  { client, standing }: GroupNode<ChainReader>,
  expected: Expected,
): Promise<void> {
  try {
    const wrong = await wrongWith(client, expected)
    standing.networkChecked(wrong === undefined ? undefined : `${standing.name} is ${wrong}.`)
  } catch (error) {
    // The last result for a node that does not answer remains.
    if (!(error instanceof NodeUnavailable)) throw error
  }
}

async function wrongWith(
  reader: ChainReader,
  { network, token, decimals }: Expected,
): Promise<string | undefined> {
  const other = await otherNetwork(reader, network)
  if (other !== undefined) return other
  // A view can also fail because the node is short of time, so a missing answer proves nothing.
  const found = (await readDecimals(reader, token)) ?? decimals
  return found === decimals
    ? undefined
    : `a node whose token ${token} has ${found} decimals instead of ${decimals}`
}
