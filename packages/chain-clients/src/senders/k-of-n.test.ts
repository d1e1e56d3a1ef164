import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { NodeUnavailable } from '../nodes/failures.ts'
import { createNodeGroup } from '../nodes/node-group.ts'
import { createNodeStanding } from '../nodes/standing.ts'
import { createEvmNode, createTronNode, type EvmRpc, type TronPost } from './index.ts'

const HASH: Hex = `0x${'ab'.repeat(32)}`
const ADDRESS: Hex = `0x${'11'.repeat(20)}`

const groupOf = <T>(clients: readonly T[], needed?: number) =>
  createNodeGroup(
    clients.map((client, at) => ({ client, standing: createNodeStanding(`node-${at}`) })),
    needed,
  )

const lost = async () => {
  throw new NodeUnavailable('node-1 could not be reached')
}
const LATE = new Date('2026-01-01T12:00:00Z')
const attempt = { hash: HASH, expiresAt: new Date('2026-01-01T11:00:00Z'), marginMs: 60_000 }

/** A Tron node that is long past the expiry and either has the transaction or not. */
function tronNode({ has }: { has: boolean }): TronPost {
  return async (path) => {
    if (path === '/walletsolidity/getnowblock') {
      const raw_data = { number: 9, timestamp: LATE.getTime() }
      return { blockID: '00', block_header: { raw_data } }
    }
    if (path === '/wallet/broadcasthex') return { result: true }
    if (!has) return {}
    const [id, txID] = [HASH.slice(2), HASH.slice(2)]
    return { id, txID, blockNumber: 7, receipt: { result: 'SUCCESS' } }
  }
}

/** A BSC node with this many final transactions of every account. */
function bscNode(nonce: number): EvmRpc {
  return async <T>(method: string) => {
    if (method === 'eth_sendRawTransaction') return HASH as T
    if (method === 'eth_getTransactionCount') return `0x${nonce.toString(16)}` as T
    throw new Error(`unexpected ${method}`)
  }
}

test('a sender continues to work when one of two Tron nodes is lost', async () => {
  const node = createTronNode(groupOf([lost, tronNode({ has: true })]))
  expect(await node.status(HASH)).toMatchObject({ kind: 'final', failure: null, blockNumber: 7n })
  expect(await node.broadcast(new Uint8Array([1]))).toMatchObject({ isAccepted: true })
  const without = createTronNode(groupOf([tronNode({ has: false }), lost]))
  expect(await without.proveExpiry(attempt)).toMatchObject({ kind: 'expired' })
})

test('a transaction that any node still has is not expired, and if both nodes must agree, a lost node proves nothing', async () => {
  const [has, not] = [tronNode({ has: true }), tronNode({ has: false })]
  expect(await createTronNode(groupOf([not, has])).proveExpiry(attempt)).toBeUndefined()
  expect(await createTronNode(groupOf([not, not, has])).proveExpiry(attempt)).toBeUndefined()
  const strict = createTronNode(groupOf([not, lost], 2))
  await expect(strict.proveExpiry(attempt)).rejects.toBeInstanceOf(NodeUnavailable)
})

test('a nonce counts as used only when every BSC node that answers reports it', async () => {
  const both = createEvmNode(groupOf([bscNode(5), bscNode(3)]))
  expect(await both.nonceOf(ADDRESS, 'final')).toBe(3)
  expect(await both.nonceOf(ADDRESS, 'pending')).toBe(5)
  const one = createEvmNode(groupOf<EvmRpc>([lost, bscNode(4)]))
  expect(await one.nonceOf(ADDRESS, 'final')).toBe(4)
  expect(await one.broadcast(new Uint8Array([1]))).toMatchObject({ isAccepted: true })
})

test('nothing is sent to a node of another network', async () => {
  const sent: number[] = []
  const sending =
    (at: number): TronPost =>
    async () => {
      sent.push(at)
      return { result: true }
    }
  const group = groupOf([sending(0), sending(1)])
  group.nodes[0]?.standing.networkChecked('node-0 is of another network')
  await createTronNode(group).broadcast(new Uint8Array([1]))
  expect(sent).toEqual([1])
})
