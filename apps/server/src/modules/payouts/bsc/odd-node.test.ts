import {
  combineEvmNodes,
  createEvmClient,
  createNodeGroup,
  createNodeStanding,
} from '@dct/chain-clients'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { expect, onTestFinished, test } from 'vitest'
import { useTestDatabase, wipe } from '../../../testing/database.ts'
import { type Change, startFaultyProxy } from '../../../testing/faulty-proxy.ts'
import { givenVaultWorld, newBscKey } from '../../../testing/fresh-sender-world.ts'
import { runToEnd } from '../../../testing/run-to-end.ts'
import { usdtOf } from '../../../testing/sender-chains.ts'
import { bscSenderOf, givenUsdtPayout, payoutRow, RESTLESS } from '../../../testing/senders.ts'

const host = useChainHost()
const database = useTestDatabase()
const USDT = 10n ** 18n

type Envelope = { result?: unknown; error?: unknown }
type Fault = readonly [method: string, change: (envelope: Envelope) => Envelope]
const refusing = (code: number, message: string) => () => ({ error: { code, message } })
const answering = (result: unknown) => () => ({ result })

/** Each is a fault of the first of three nodes, and how it is named; the payout is not one of its concerns. */
test.each<[string, Fault, string]>([
  ['has a stale snapshot', ['eth_call', refusing(-32_000, 'snapshot stale')], 'node_unfit'],
  ['calls everything reverted', ['eth_call', refusing(3, 'execution reverted')], 'node_differs'],
  ['finds nothing in the token', ['eth_call', answering('0x')], 'node_differs'],
  [
    'leaves the price out of receipts',
    [
      'eth_getTransactionReceipt',
      ({ result }) => ({
        result: result && { ...result, effectiveGasPrice: undefined },
      }),
    ],
    'node_unfit',
  ],
  [
    'has receipts without a block',
    [
      'eth_getTransactionReceipt',
      ({ result }) => ({ result: result && { ...result, blockNumber: null } }),
    ],
    'node_unfit',
  ],
  ['counts null', ['eth_getTransactionCount', answering(null)], 'node_unfit'],
  ['counts in decimals', ['eth_getTransactionCount', answering(7)], 'node_unfit'],
  ['has an empty price', ['eth_gasPrice', answering('0x')], 'node_unfit'],
  ['has empty blocks', ['eth_getBlockByNumber', answering([])], 'node_unfit'],
])('one of three nodes %s: the payout is paid, and the node named', async (_what, fault, kind) => {
  await wipe(database.db)
  const { world } = await givenVaultWorld(database.db, host())
  const proxy = await startFaultyProxy(host().bscUrl)
  onTestFinished(() => proxy.stop())
  proxy.setFaults(({ body }) => {
    const { method, id } = JSON.parse(body)
    const [faulty, change] = fault
    if (method !== faulty) return 'none'
    return {
      answer: (text: string) => JSON.stringify({ id, ...change(JSON.parse(text)) }),
    } satisfies Change
  })
  const nodes = [proxy.url, host().bscUrl, host().bscUrl].map((url, at) => ({
    standing: createNodeStanding(`node-${at}`),
    client: createEvmClient({ url }),
  }))
  const receiver = newBscKey().address
  await host().control.finalize()
  const id = await givenUsdtPayout(world, { to: receiver, amount: USDT, cause: 'referral:1' })
  const sender = bscSenderOf(world, {
    timing: RESTLESS,
    node: combineEvmNodes(createNodeGroup(nodes)),
  })
  // The second step looks at the transaction, which is mined and not final.
  for (let steps = 0; steps < 2; steps += 1) await sender.step()
  await runToEnd(world, sender)
  expect((await payoutRow(database.db, id)).state).toBe('final')
  expect(await usdtOf(host(), receiver)).toBe(USDT)
  const named = nodes.flatMap(({ standing }) =>
    standing.troubles().map((trouble) => [standing.name, trouble.kind]),
  )
  expect(named).toEqual([['node-0', kind]])
})
