import { type ChainReader, createNodeGroup, createNodeStanding } from '@dct/chain-clients'
import { TRON_CHAIN_IDS, TRON_GENESIS } from '@dct/rules/tron-networks'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import type { Config } from '../config.ts'
import type { Chains } from './chains.ts'
import { networksOf, otherNetwork } from './networks.ts'
import { createNodeInspection } from './node-inspection.ts'

const OTHER: Hex = `0x${'12'.repeat(32)}`
const nodeOf = (chainId: number, genesis: Hex | null) => ({
  chainId: async () => chainId,
  block: async () => (genesis === null ? null : { number: 0n, hash: genesis, time: new Date(0) }),
})
const networks = (network: Config['tron']['network'], bscChainId: number) =>
  networksOf({
    tron: {
      network,
      chainId: network === 'mainnet' ? TRON_CHAIN_IDS.mainnet : TRON_CHAIN_IDS.nile,
    },
    bsc: { chainId: bscChainId },
  } as Pick<Config, 'tron' | 'bsc'>)

test('with TRON_NETWORK=nile, a network that merely uses Nile’s chain id is recognised by its first block', async () => {
  const { tron } = networks('nile', 97)
  expect(await otherNetwork(nodeOf(TRON_CHAIN_IDS.nile, TRON_GENESIS.nile), tron)).toBeUndefined()
  expect(await otherNetwork(nodeOf(TRON_CHAIN_IDS.nile, OTHER), tron)).toMatch(
    /^a node of another network that also calls itself chain 3448148188; its first block is 0x1212/,
  )
  expect(await otherNetwork(nodeOf(TRON_CHAIN_IDS.shasta, TRON_GENESIS.shasta), tron)).toBe(
    'a node of chain 2494104990; the settings ask for chain 3448148188',
  )
})

test('BSC mainnet is recognised by its first block, a testnet and a development network by the chain id', async () => {
  const { bsc } = networks('mainnet', 56)
  expect(await otherNetwork(nodeOf(56, OTHER), bsc)).toMatch(/^a node of another network/)
  expect(await otherNetwork(nodeOf(56, null), bsc)).toBeUndefined()
  expect(await otherNetwork(nodeOf(97, OTHER), networks('nile', 97).bsc)).toBeUndefined()
  expect(await otherNetwork(nodeOf(1, OTHER), networks('devnet', 97).tron)).toMatch(/chain 1;/)
})

/** An inspection of one node of BSC, whose answers the test can change. */
function givenInspection() {
  const says = { chainId: 56, decimals: 18, asked: 0 }
  const reader = {
    ...nodeOf(56, null),
    async chainId() {
      says.asked += 1
      return says.chainId
    },
    finalCall: async () => ({
      ...{ at: { number: 1n, hash: OTHER, time: new Date(0) } },
      results: [`0x${says.decimals.toString(16).padStart(64, '0')}`],
    }),
  } as unknown as ChainReader
  const standing = createNodeStanding('bsc.example.org')
  const readers = createNodeGroup([{ client: reader, standing }])
  const inspection = createNodeInspection({
    chains: {
      tron: { readers: createNodeGroup<ChainReader>([]), token: OTHER },
      bsc: { readers, usdt: OTHER },
    } as unknown as Chains,
    config: { tron: { network: 'mainnet', chainId: 1 }, bsc: { chainId: 56 } } as unknown as Config,
    dctDecimals: 6,
  })
  return { says, standing, readers, inspection }
}

test('a node that later turns out to be of another network is set aside until it is of the right one again', async () => {
  const { says, standing, readers, inspection } = givenInspection()
  says.chainId = 97
  await inspection.step()
  expect(standing.troubles()).toEqual([
    {
      kind: 'node_wrong_network',
      message: 'bsc.example.org is a node of chain 97; the settings ask for chain 56.',
    },
  ])
  await expect(readers.all((node) => node.headNumber())).rejects.toThrow('can be used')
  says.chainId = 56
  says.decimals = 6
  await inspection.step()
  expect(standing.troubles()[0]?.message).toMatch(/has 6 decimals instead of 18\.$/)
  says.decimals = 18
  await inspection.step()
  expect(standing.isAside()).toBe(false)
})

test('nodes are asked for their network every ten minutes, and those that were set aside every minute', async () => {
  const { says, standing, inspection } = givenInspection()
  expect(inspection.pauseMs).toBe(60_000)
  for (let minute = 0; minute < 10; minute += 1) await inspection.step()
  expect(says.asked).toBe(1)
  says.decimals = 16
  await inspection.step()
  expect([says.asked, standing.isAside()]).toEqual([2, true])
  says.decimals = 18
  await inspection.step()
  expect([says.asked, standing.isAside()]).toEqual([3, false])
})
