import { createEvmClient } from '@dct/chain-clients'
import { tokenAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { sql } from 'kysely'
import { type Hex, pad, toEventSelector } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { createLogger } from '../../platform/logger.ts'
import { createTestDatabase, type TestDatabase, wipe } from '../../testing/database.ts'
import { eventsOf } from '../../testing/recorded-events.ts'
import { mintUsdt } from '../../testing/sender-chains.ts'
import {
  type ChainEvent,
  chainFacts,
  createWatcher,
  describeChanges,
  endHalt,
  inspectHalt,
} from './index.ts'
import { recordEvent } from './record-event.ts'

const host = useChainHost()
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const OURS: Hex = `0x${'0e'.repeat(20)}`
let database: TestDatabase
let handled: ChainEvent[]
let startBlock: bigint

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())
beforeEach(async () => {
  await wipe(database.db)
  handled = []
  await host().control.finalize()
  startBlock = (await reader().finalHead()).number + 1n
})
afterEach(() => host().control.resumeMining())

const reader = () => createEvmClient({ url: host().bscUrl })

const watched = () => ({
  db: database.db,
  chain: 'BSC' as const,
  reader: reader(),
  streams: [
    {
      name: 'usdt',
      contracts: [{ address: host().deployment.bsc.usdt.toLowerCase() as Hex, abi: tokenAbi }],
      topicFilters: async () => [[TRANSFER, null, [pad(OURS)]]],
      handle: async (_tx: unknown, event: ChainEvent) => {
        handled.push(event)
      },
    },
  ],
  startBlock,
  maxRange: 3,
})
const watcher = () => createWatcher({ ...watched(), log: createLogger('silent') })
const amounts = () => handled.map(({ args }) => args.value)
const end = (digest: string) =>
  endHalt({ ...watched(), clock: realClock }, digest, async () => undefined)
const openAlarms = async () => {
  const rows = await database.db
    .selectFrom('alarm')
    .select('kind')
    .where('cleared_at', 'is', null)
    .orderBy('kind')
    .execute()
  return rows.map(({ kind }) => kind)
}
const mine = (blocks: number) => host().control.mine({ chain: 'bsc', blocks })

/** Mints each amount in a separate block. */
async function mintEach(...values: bigint[]): Promise<void> {
  for (const value of values) {
    await mintUsdt(host(), OURS, value)
    await mine(1)
  }
}

/** Books 5, 6 and 7 as final; then a reorganisation replaces all blocks after 5 with 8, and the watcher halts. */
async function givenHalt(options: { keepTransactions?: boolean } = {}) {
  await host().control.pauseMining()
  const watch = watcher()
  await watch.catchUp()
  await mintEach(5n)
  const { bsc } = await host().control.info()
  await mintEach(6n, 7n)
  await host().control.finalize()
  await watch.catchUp()
  expect(amounts()).toEqual(['5', '6', '7'])
  await host().control.reorg({ chain: 'bsc', after: bsc.head.number, ...options })
  if (options.keepTransactions !== true) await mintEach(8n)
  await mine(12)
  await watch.catchUp()
  expect((await chainFacts(database.db))[0]).toMatchObject({ isHalted: true })
  return watch
}

test('[T063] an event that a node leaves out when it searches is not gone, as its receipt is there', async () => {
  await givenHalt({ keepTransactions: true })
  const sound = reader()
  const omitting = { ...watched(), reader: { ...sound, logs: async () => [] } }
  const review = await inspectHalt(omitting)
  expect(review.changes).toMatchObject({ undone: [], added: [], changed: [], moved: 2 })
  await endHalt({ ...omitting, clock: realClock }, review.digest, async () => undefined)
  expect(await openAlarms()).toEqual([])
})

test('[T063] a halt shows the changes, can only be ended for exactly these, and both versions stay on record', async () => {
  const watch = await givenHalt()
  const review = await inspectHalt(watched())
  expect(review.changes.undone.map(({ args }) => args.value)).toEqual(['6', '7'])
  const { added, changed, moved } = review.changes
  expect({ added, changed, moved }).toEqual({ added: [], changed: [], moved: 0 })
  expect(describeChanges(review)).toContain('2 no longer on chain')

  await expect(end('0'.repeat(64))).rejects.toMatchObject({ code: 'HALT_CHANGED' })
  expect(await openAlarms()).toEqual(['chain_halt'])
  await end(review.digest)
  expect(await openAlarms()).toEqual(['event_undone', 'event_undone'])
  await expect(end(review.digest)).rejects.toMatchObject({ code: 'CHAIN_NOT_HALTED' })
  const [halt] = await database.db.selectFrom('chain_halt').selectAll().execute()
  expect(halt).toMatchObject({ ended_at: expect.any(Date), changes: review.changes })

  await mintEach(9n)
  await host().control.finalize()
  await watch.catchUp()
  expect(amounts()).toEqual(['5', '6', '7', '8', '9'])
})

test.each([
  ['kept where they were read before the doubtful blocks', 0, true],
  ['dropped where they were read later', 2, false],
])('the figures that agreed with the events are %s', async (_, event, isKept) => {
  await givenHalt()
  const at = handled[event]?.blockNumber ?? 0n
  await sql`update chain_cursor set proved_number = ${at}, proved_figures = '{}'`.execute(
    database.db,
  )
  await end((await inspectHalt(watched())).digest)
  const proofs = await database.db.selectFrom('chain_cursor').select('proved_number').execute()
  expect(proofs).toEqual([{ proved_number: isKept ? at : null }])
})

test('[T063] an undone event that is on chain again is not booked twice, and its alarm ends', async () => {
  await givenHalt()
  await end((await inspectHalt(watched())).digest)
  expect(await openAlarms()).toEqual(['event_undone', 'event_undone'])
  const [, six] = handled
  if (six === undefined) throw new Error('it was booked')
  const again = { ...six, blockNumber: six.blockNumber + 50n, blockHash: Buffer.alloc(32, 3) }
  const record = () => inTransaction(database.db, (tx) => recordEvent(tx, again, realClock.now()))
  expect([await record(), await record()]).toEqual([false, false])
  expect(await openAlarms()).toEqual(['event_undone'])
  expect(await eventsOf(database.db, { chain: 'BSC', txHash: six.txHash })).toEqual([again])
})

test('[T063] events that only moved to other blocks are not booked again; a new one is', async () => {
  const watch = await givenHalt({ keepTransactions: true })
  await sql`delete from chain_event where args->>'value' = '7'`.execute(database.db)
  const review = await inspectHalt(watched())
  expect(review.changes).toMatchObject({ undone: [], changed: [], moved: 1 })
  expect(review.changes.added.map(({ args }) => args.value)).toEqual(['7'])
  await end(review.digest)
  await mintEach(9n)
  await host().control.finalize()
  await watch.catchUp()
  expect(amounts()).toEqual(['5', '6', '7', '7', '9'])
  expect(await openAlarms()).toEqual([])
  const facts = (await chainFacts(database.db))[0]
  expect(facts).toMatchObject({ isHalted: false, finalNumber: facts?.blockNumber })
})

test('an event whose content has changed stays booked as it was, with an alarm', async () => {
  const watch = await givenHalt({ keepTransactions: true })
  const other = sql`jsonb_set(args, '{value}', '"70"')`
  await sql`update chain_event set args = ${other} where args->>'value' = '7'`.execute(database.db)
  const review = await inspectHalt(watched())
  expect(review.changes.changed).toHaveLength(1)
  await end(review.digest)
  expect(await openAlarms()).toEqual(['event_changed'])
  await watch.catchUp()
  expect(amounts()).toEqual(['5', '6', '7'])
})

test('when the booked block is back, the halt ends without changes', async () => {
  await host().control.pauseMining()
  const watch = watcher()
  await watch.catchUp()
  await mintEach(5n)
  await host().control.finalize()
  await watch.catchUp()
  const [facts] = await chainFacts(database.db)
  const { hash } = (await reader().block(facts?.blockNumber ?? 0n)) ?? { hash: '0x' }
  await database.db
    .insertInto('chain_halt')
    .values({
      chain: 'BSC',
      block_number: facts?.blockNumber ?? 0n,
      expected_hash: Buffer.from(hash.slice(2), 'hex'),
      found_hash: Buffer.alloc(32, 6),
      halted_at: realClock.now(),
      ended_at: null,
      changes: null,
    })
    .execute()
  const review = await inspectHalt(watched())
  expect(describeChanges(review)).toContain('nothing has changed')
  await end(review.digest)
  await mintEach(6n)
  await host().control.finalize()
  await watch.catchUp()
  expect(amounts()).toEqual(['5', '6'])
})
