import { expect, test } from 'vitest'
import { createTronRecords } from '../tron/records.ts'
import { createBlockMaker } from './block-maker.ts'
import type { ChainName, EvmNode } from './evm-node.ts'
import type { Journal } from './journal.ts'
import { createMutex } from './mutex.ts'

test('a tick that was asked for while mining was paused includes nothing, though mining is resumed before its turn', async () => {
  const mined: ChainName[] = []
  const nodeOf = (chain: ChainName) => {
    const mine = async () => void mined.push(chain)
    const head = () => ({ number: 1, timestamp: 1 })
    return { lock: createMutex(), head, mine, rpc: async () => null } as unknown as EvmNode
  }
  const nodes = { tron: nodeOf('tron'), bsc: nodeOf('bsc') }
  const clock = { nowMs: () => 1_000, setOffset: () => undefined }
  const state = { nodes, clock: clock as never, records: createTronRecords() }
  const journal = { append: () => () => undefined } as unknown as Journal
  const maker = createBlockMaker(state, journal, () => ({}) as never)

  await maker.pause()
  const busy = Promise.withResolvers<void>()
  const before = nodes.tron.lock.run(() => busy.promise)
  const done = [maker.tick(), maker.resume()]
  busy.resolve()
  await Promise.all([before, ...done])
  expect(mined).not.toContain('tron')
  await maker.tick()
  expect(mined).toContain('tron')
})
