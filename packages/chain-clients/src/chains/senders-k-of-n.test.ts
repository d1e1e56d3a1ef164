import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { NodeUnavailable } from '../nodes/failures.ts'
import { createNodeGroup } from '../nodes/node-group.ts'
import { createNodeStanding } from '../nodes/standing.ts'
import type { CallOutcome } from './calls.ts'
import { combineEvmNodes, combineTronNodes } from './combine-nodes.ts'
import type { EvmNode } from './evm-client.ts'
import type { TronNode } from './tron-client.ts'

const ADDRESS: Hex = `0x${'11'.repeat(20)}`
const CALL = { from: ADDRESS, to: ADDRESS, data: '0x12345678' } as const

/** Nodes that can only do what the test gives them. */
function evmOf(...parts: readonly Partial<EvmNode>[]) {
  const nodes = parts.map((part, at) => ({
    ...{ client: part as EvmNode, standing: createNodeStanding(`node-${at}`) },
  }))
  return { node: combineEvmNodes(createNodeGroup(nodes)), nodes }
}
function tronOf(parts: readonly Partial<TronNode>[]) {
  const nodes = parts.map((part, at) => ({
    ...{ client: part as TronNode, standing: createNodeStanding(`node-${at}`) },
  }))
  return { node: combineTronNodes(createNodeGroup(nodes)), nodes }
}

const lost = async () => {
  throw new NodeUnavailable('it could not be reached')
}
const saying = (count: number): Partial<EvmNode> => ({
  nonceOf: async () => count,
  nonceAt: async () => count,
  balanceOf: async () => BigInt(count),
  gasPrice: async () => BigInt(count),
})

test.each([
  ['too many', 9_999],
  ['none', 0],
])('one of three nodes that counts %s decides nothing', async (_what, count) => {
  for (const odd of [0, 1, 2]) {
    const { node } = evmOf(...[0, 1, 2].map((at) => saying(at === odd ? count : 5)))
    for (const view of ['final', 'latest', 'pending'] as const) {
      expect(await node.nonceOf(ADDRESS, view)).toBe(5)
    }
    expect(await node.nonceAt(ADDRESS, 7n)).toBe(5)
    expect([await node.balanceOf(ADDRESS), await node.gasPrice()]).toEqual([5n, 5n])
  }
})

test('the nonce at a block is known while enough nodes still have its state', async () => {
  const gone = { nonceAt: async () => undefined }
  expect(await evmOf(gone, saying(5), saying(5)).node.nonceAt(ADDRESS, 7n)).toBe(5)
  expect(await evmOf(gone, gone, saying(5)).node.nonceAt(ADDRESS, 7n)).toBeUndefined()
})

const WORKS: CallOutcome = { succeeded: true, used: 50_000n, output: '0x01' }
test.each<[string, CallOutcome]>([
  ['a failure', { succeeded: false, revert: '0x', message: 'execution reverted' }],
  ['nothing', { succeeded: true, used: 21_000n, output: '0x' }],
])('%s from one node alone does not end a trial run', async (_what, odd) => {
  const simulating = (outcome: CallOutcome) => ({ simulate: async () => outcome })
  const { node, nodes } = evmOf(simulating(odd), simulating(WORKS), simulating(WORKS))
  expect(await node.simulate(CALL)).toEqual(WORKS)
  expect(nodes[0]?.standing.troubles()).toMatchObject([{ kind: 'node_differs' }])
  const { node: agreeing } = evmOf(simulating(odd), simulating(odd), simulating(WORKS))
  expect(await agreeing.simulate(CALL)).toEqual(odd)
})

const PROOF = {
  kind: 'expired',
  expiresAt: '',
  nodes: [{ solidBlock: '9', solidTime: '' }],
} as const
const ATTEMPT = { hash: ADDRESS, expiresAt: new Date(0), marginMs: 0 }
const proving = (proof: typeof PROOF | undefined): Partial<TronNode> => ({
  proveExpiry: async () =>
    proof === undefined ? undefined : { ...proof, nodes: [...proof.nodes] },
})

test('a transaction that any node still has is not expired', async () => {
  const [gone, has] = [proving(PROOF), proving(undefined)]
  expect(await tronOf([gone, has, gone]).node.proveExpiry(ATTEMPT)).toBeUndefined()
  const proof = await tronOf([gone, { proveExpiry: lost }, gone]).node.proveExpiry(ATTEMPT)
  expect(proof?.nodes).toHaveLength(2)
  const two = tronOf([gone, { proveExpiry: lost }]).node
  await expect(two.proveExpiry(ATTEMPT)).rejects.toBeInstanceOf(NodeUnavailable)
})

test('nothing is sent to a node of another network, and one accepting node is enough', async () => {
  const sent: number[] = []
  const sending = (at: number, isAccepted: boolean): Partial<TronNode> => ({
    async broadcast() {
      sent.push(at)
      return { isAccepted, detail: `${at}` }
    },
  })
  const { node, nodes } = tronOf([sending(0, true), sending(1, false), sending(2, true)])
  nodes[0]?.standing.networkChecked('node-0 is of another network')
  expect(await node.broadcast(new Uint8Array([1]))).toEqual({ isAccepted: true, detail: '2' })
  expect(sent).toEqual([1, 2])
})
