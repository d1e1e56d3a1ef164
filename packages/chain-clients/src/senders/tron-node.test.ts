import { expect, test } from 'vitest'
import { createNodeGroup } from '../nodes/node-group.ts'
import { createNodeStanding } from '../nodes/standing.ts'
import { createTronNode } from './tron-node.ts'

const CALL = { from: `0x${'11'.repeat(20)}`, contract: `0x${'22'.repeat(20)}`, data: '0x' } as const

/** A node with one answer to every call. */
function nodeWith(reply: object) {
  const standing = createNodeStanding('node-1')
  return createTronNode(createNodeGroup([{ client: async () => ({ ...reply }), standing }]))
}

test.each([
  ['of which a part is a penalty', { energy_used: 31_895, energy_penalty: 17_245 }, 31_895n],
  ['without a penalty', { energy_used: 498 }, 498n],
])('a trial run takes the energy that the node names, %s', async (_case, energy, used) => {
  const reply = { result: { result: true }, constant_result: ['00'.repeat(32)], ...energy }
  expect(await nodeWith(reply).simulate(CALL)).toMatchObject({ succeeded: true, used })
})
