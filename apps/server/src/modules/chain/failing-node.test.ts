import { createHash } from 'node:crypto'
import { createEvmClient, NodeThrottled, NodeUnavailable } from '@dct/chain-clients'
import { devUsdtAbi, tokenAbi } from '@dct/contract-abi'
import { createBscWallet } from '@dct/devnet/chains/setup/bsc-wallet'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { type Hex, pad, toEventSelector } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../platform/logger.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { type Fault, type FaultyProxy, startFaultyProxy } from '../../testing/faulty-proxy.ts'
import { createWatcher } from './index.ts'

const host = useChainHost()
const OURS: Hex = `0x${'0f'.repeat(20)}`
const PAYMENTS = 12
/** The length of each stretch of requests: stretches that succeed and stretches that fail alternate. */
const STRETCH = 24
/** Every third of these calls fails, even in a good stretch, because a step makes most of them only near its end. */
const LATE_QUESTIONS = ['eth_getLogs', 'eth_getTransactionReceipt']
let database: TestDatabase
let node: FaultyProxy

beforeAll(async () => {
  database = await createTestDatabase()
  node = await startFaultyProxy(host().bscUrl)
})
afterAll(async () => {
  await node?.stop()
  await database?.drop()
})

test('[T066] with a node that refuses, loses or never answers half of the requests, no event is missed or seen twice', async () => {
  const usdt = host().deployment.bsc.usdt.toLowerCase() as Hex
  const wallet = await createBscWallet(host().bscUrl, host().serviceKeys.owner)
  await host().control.finalize()
  const startBlock = (await createEvmClient({ url: host().bscUrl }).finalHead()).number + 1n
  const expected = Array.from({ length: PAYMENTS }, (_, at) => `${at + 1}`)
  for (const value of expected) {
    const args = [OURS, BigInt(value)]
    await wallet.call({ contract: usdt, abi: devUsdtAbi, functionName: 'mint', args })
  }
  await host().control.finalize()

  let asked = 0
  const seen = new Map<Fault, number>()
  const answered = new Map<string, number>()
  const lost = new Set<string>()
  node.setFaults(({ body }) => {
    asked += 1
    const { method } = JSON.parse(body)
    const planned = asked === 3 ? 'busy' : faultOf(asked)
    const times = (answered.get(method) ?? 0) + (planned === 'none' ? 1 : 0)
    answered.set(method, times)
    const isLost = planned === 'none' && LATE_QUESTIONS.includes(method) && times % 3 === 0
    if (isLost) lost.add(method)
    const fault = isLost ? 'lose-answer' : planned
    seen.set(fault, (seen.get(fault) ?? 0) + 1)
    return fault
  })
  const handled: (string | undefined)[] = []
  const watcher = createWatcher({
    db: database.db,
    chain: 'BSC',
    reader: createEvmClient({ url: node.url, timeoutMs: 500 }),
    streams: [
      {
        name: 'usdt',
        contracts: [{ address: usdt, abi: tokenAbi }],
        topicFilters: async () => [
          [toEventSelector('Transfer(address,address,uint256)'), null, [pad(OURS)]],
        ],
        handle: async (_tx, event) => {
          handled.push(event.args.value)
        },
      },
    ],
    log: createLogger('silent'),
    startBlock,
    maxRange: 4,
  })
  const outcomes = new Set<string>()
  for (let isIdle = false; !isIdle; ) {
    const before = [...handled]
    try {
      isIdle = await watcher.step()
    } catch (error) {
      if (!(error instanceof NodeUnavailable)) throw error
      outcomes.add(error.constructor.name)
      expect(handled).toEqual(before)
      if (!(error instanceof NodeThrottled)) continue
      // A node that throttles gets no further request before its pause is over.
      await expect(watcher.step()).rejects.toBeInstanceOf(NodeThrottled)
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterMs))
    }
  }
  expect(outcomes).toEqual(new Set(['NodeUnavailable', 'NodeThrottled']))
  expect(handled).toEqual(expected)
  for (const fault of ['lose-request', 'lose-answer', 'silence'] as const) {
    expect([fault, seen.has(fault)]).toEqual([fault, true])
  }
  expect(asked - (seen.get('none') ?? 0)).toBeGreaterThan(asked / 3)
  expect(lost).toEqual(new Set(LATE_QUESTIONS))
})

/**
 * Every other stretch of requests fails, in the same way in every run. The first request of such a stretch gets no answer.
 */
function faultOf(request: number): Fault {
  if (Math.floor(request / STRETCH) % 2 === 0) return 'none'
  if (request % STRETCH === 0) return 'silence'
  const [first = 0] = createHash('sha256').update(`${request}`).digest()
  return first % 2 === 0 ? 'lose-request' : 'lose-answer'
}
