import { createTronClient } from '@dct/chain-clients'
import { stakingAbi } from '@dct/contract-abi'
import { encodeFunctionData, toEventSelector } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { type ChainWorld, startChainWorld } from '../../testing/chain-world.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { type Fault, startFaultyProxy } from '../../testing/faulty-proxy.ts'
import { dct } from '../../testing/plans.ts'
import { readContracts } from './index.ts'

let world: ChainWorld
let database: TestDatabase
beforeAll(async () => {
  world = await startChainWorld()
  database = await createTestDatabase()
})
afterAll(async () => {
  await database?.drop()
  await world?.stop()
})

const STAKED = stakingAbi.find((item) => item.type === 'event' && item.name === 'Staked')

test('when /walletsolidity lags behind JSON-RPC, figures still match the block at which they were read, and no read fails', async () => {
  const { control } = world.host
  await world.openPlan({ code: 'LAG-A', durationDays: 360, rate: 7_200n })
  await control.setTronBehaviour({ solidityLag: 2 })
  const watcher = await world.watcherOf(database.db, realClock, 1n)
  await watcher.catchUp()
  const joined = await world.join(world.account(1), { planCode: 'LAG-A', amount: dct('10') })
  await control.pauseMining()
  const counts = []
  for (let blocks = 0; blocks < 7; blocks += 1) {
    const { at, stakeCount } = await readContracts({ tron: world, bsc: undefined as never }, [
      'LAG-A',
    ])
    const filter = { addresses: [world.staking], topics: [toEventSelector(STAKED as never)] }
    const logs = await world.reader.logs(filter, { from: 0n, to: at.number })
    expect(stakeCount).toBe(BigInt(logs.length))
    // A transaction has a result as soon as its block is final in that view, and not earlier.
    const { kind } = await world.reader.receipt(`0x${joined}`)
    expect(kind === 'final').toBe(stakeCount === 1n)
    expect((await world.reader.finalHead()).hash).toBe(at.hash)
    await watcher.catchUp()
    counts.push(stakeCount)
    await control.mine({ chain: 'tron', blocks: 1 })
  }
  expect(new Set(counts)).toEqual(new Set([0n, 1n]))
  const booked = await database.db.selectFrom('earning').select('id').execute()
  expect(booked).toHaveLength(1)
})

test('figures are read again when the final block advances in between', async () => {
  const { control, tronUrl, tronJsonRpcUrl } = world.host
  await control.pauseMining()
  const proxy = await startFaultyProxy(tronUrl)
  let hasMoved = false
  proxy.setFaults(async ({ path }): Promise<Fault> => {
    if (!hasMoved && path.endsWith('/triggerconstantcontract')) {
      hasMoved = true
      await control.mine({ chain: 'tron', blocks: 1 })
    }
    return 'none'
  })
  try {
    const before = await world.reader.finalHead()
    const reader = createTronClient({ http: { url: proxy.url }, jsonRpc: { url: tronJsonRpcUrl } })
    const data = encodeFunctionData({ abi: stakingAbi, functionName: 'stakeCount' })
    const { at } = await reader.finalCall([{ to: world.staking, data }])
    expect(at.number).toBe(before.number + 1n)
    expect(at).toEqual(await world.reader.finalHead())
  } finally {
    await proxy.stop()
  }
})
