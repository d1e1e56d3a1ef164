import { createHash } from 'node:crypto'
import { encodeCall } from '@dct/chain-clients/senders/index'
import { rewardPoolAbi, tokenAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bytesOf } from '../../modules/chain/index.ts'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { realClock } from '../../platform/clock.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { settingsOf } from '../../testing/host-settings.ts'
import {
  addressesOf,
  callTron,
  givenHolder,
  givenPlan,
  givenStake,
  mintUsdt,
} from '../../testing/sender-chains.ts'
import { type Question, type StandIn, startStandIn } from '../../testing/stand-in-node.ts'
import { readConfig } from '../config.ts'
import { type Context, createContext } from '../context.ts'
import { watcherLoops } from '../loops/loops.ts'

const host = useChainHost()
const LATER_MS = 60_000
const ROUNDS = 3
let database: TestDatabase
let context: Context | undefined
/** The hashes of the transactions that every node omits from its log searches. */
const hidden = new Set<string>()

beforeEach(async () => {
  database = await createTestDatabase()
  hidden.clear()
  vi.useFakeTimers({ toFake: ['Date'], now: realClock.now() })
})
afterEach(async () => {
  vi.useRealTimers()
  await context?.close()
  await database.drop()
})

const withHoles: StandIn = {
  change: ({ method }, answer) =>
    method === 'eth_getLogs'
      ? (answer as { transactionHash: string }[]).filter((log) => !hidden.has(log.transactionHash))
      : answer,
}

/** Starts watchers of both chains, with stand-ins as nodes. */
async function startWatching(nodes: { tron?: StandIn[]; bsc?: StandIn[] }) {
  const tron = await Promise.all(
    (nodes.tron ?? [{}]).map((one) => startStandIn(host().tronUrl, one)),
  )
  const bsc = await Promise.all((nodes.bsc ?? [{}]).map((one) => startStandIn(host().bscUrl, one)))
  const settings = {
    ...settingsOf(host(), database.settings),
    LOG_LEVEL: 'silent',
    TRON_FULL_HOST: tron.join(),
    BSC_RPC: bsc.join(),
  }
  context = await whileBlocksPass(() => createContext(readConfig(settings)))
  const loops = watcherLoops(context)
  return { settle: () => settle(loops), loops }
}

async function settle(loops: readonly Loop[]): Promise<void> {
  await host().control.finalize()
  vi.setSystemTime(realClock.now().getTime() + LATER_MS)
  const isWatcher = ({ name }: Loop) => name.startsWith('watcher')
  // Figures are read first, and compared once the watcher has reached their block.
  for (let round = 0; round < ROUNDS; round += 1) {
    await stepAll(loops.filter(isWatcher))
    await stepAll(loops.filter((loop) => !isWatcher(loop)))
  }
}

async function stepAll(loops: readonly Loop[]): Promise<void> {
  for (const loop of loops) while (!(await whileBlocksPass(() => loop.step())));
}

/** Retries when the final block advanced during the work: on a busy machine, that can be faster than the reads. */
async function whileBlocksPass<R>(work: () => Promise<R>): Promise<R> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('block advanced'))) throw error
    }
  }
}

const eventsOf = async (hash: string) =>
  (
    await database.db
      .selectFrom('chain_event')
      .select('name')
      .where('tx_hash', '=', bytesOf(hash as `0x${string}`))
      .orderBy('log_index')
      .execute()
  ).map(({ name }) => name)
const alarms = async () =>
  (await openAlarms(database.db))
    .map(({ kind, subject }) => `${kind} ${subject.replace(/:[^:]*$/, '')}`)
    .filter((alarm) => !alarm.startsWith('plan_adopted'))
    .toSorted()

test('a payment that every node omits from its logs is booked nevertheless, once, and the nodes are named', async () => {
  const { settle } = await startWatching({ bsc: [withHoles, withHoles] })
  const receiver = host().serviceKeys.feeReceiver.bscAddress
  await settle()
  expect(await alarms()).toEqual([])
  const [lost, seen] = [await mintUsdt(host(), receiver, 7n), await mintUsdt(host(), receiver, 5n)]
  hidden.add(lost)
  await settle()
  expect(await eventsOf(lost)).toEqual(['Transfer'])
  expect(await eventsOf(seen)).toEqual(['Transfer'])
  await settle()
  const found = ['event_missed BSC', 'node_omits BSC 127.0.0.1', 'node_omits BSC 127.0.0.1']
  expect(await alarms()).toEqual(found)
  hidden.clear()
  await settle()
  const receipts = await database.db.selectFrom('usdt_receipt').select('amount').execute()
  expect(receipts.map(({ amount }) => amount).toSorted()).toEqual([5n, 7n])
  const booked = await database.db
    .selectFrom('ledger_transfer')
    .select('amount')
    .where('amount', 'in', [5n, 7n])
    .execute()
  expect(booked).toHaveLength(2)
  expect(await alarms()).toEqual(found)
})

test('a stake that the only node omits from its logs is booked nevertheless, once', async () => {
  const code = `HOLE-${createHash('sha256').update(database.url).digest('hex').slice(0, 8)}`
  const plan = { code: code.toUpperCase(), durationDays: 360, totalBps: 7_200n }
  await givenPlan(host(), plan)
  const holder = await givenHolder(host())
  const { settle } = await startWatching({ tron: [withHoles] })
  await settle()
  await settle()
  expect(await alarms()).toEqual([])
  const { txHash } = await givenStake(host(), { holder, amount: 20_000_000n, plan })
  hidden.add(txHash)
  await settle()
  expect((await eventsOf(txHash)).toSorted()).toEqual(['RewardReserved', 'Staked'])
  await settle()
  expect(await alarms()).toContain('node_omits TRON 127.0.0.1')
  hidden.clear()
  await settle()
  const stakes = await database.db.selectFrom('earning').select('id').execute()
  expect(stakes).toHaveLength(1)
})

/** Funds a new plan by a holder's transactions. @returns the hash of the funding */
async function fund(code: string): Promise<string> {
  const { token, rewardPool } = addressesOf(host())
  const open = encodeCall(rewardPoolAbi, 'openPlan', [code, 360n, 7_200n])
  const operator = host().serviceKeys.operator.tronPrivateKey
  await callTron(host(), operator, { contract: rewardPool, data: open })
  const key = (await givenHolder(host())).privateKey.slice(2)
  const approve = encodeCall(tokenAbi, 'approve', [rewardPool, 100_000_000n])
  await callTron(host(), key, { contract: token, data: approve })
  const add = encodeCall(rewardPoolAbi, 'addRewardForPlan', [code, 100_000_000n])
  return callTron(host(), key, { contract: rewardPool, data: add })
}

/** Every loop steps on its own, as in a process: one that fails does not keep the others from stepping. */
async function live(loops: readonly Loop[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await host().control.finalize()
    vi.setSystemTime(realClock.now().getTime() + LATER_MS)
    for (const loop of loops) await stepAll([loop]).catch((error: unknown) => error)
  }
}

test('an event that the books refuse, because the node omits an earlier one for good, makes whole blocks be read', async () => {
  const hash = createHash('sha256').update(database.url).digest('hex').slice(0, 8)
  const code = `DEAD-${hash}`.toUpperCase()
  const { loops } = await startWatching({ tron: [withHoles] })
  await live(loops, 3)
  // The figures are read just before, at a block that the watcher does not reach any more.
  await live(
    loops.filter(({ name }) => name.startsWith('completeness')),
    1,
  )
  hidden.add(await fund(code))
  const holder = await givenHolder(host())
  const plan = { code, durationDays: 360, totalBps: 7_200n }
  const { txHash } = await givenStake(host(), { holder, amount: 10_000_000n, plan })
  await live(loops, 6)
  expect((await eventsOf(txHash)).toSorted()).toEqual(['RewardReserved', 'Staked'])
})

test('a difference that whole blocks do not explain raises one alarm, and is not searched for again', async () => {
  let counted = 0n
  let read = 0
  const lie = ({ path, body }: Question, answer: unknown) => {
    if (path.endsWith('gettransactioninfobyblocknum')) read += 1
    const isCount = body.data === STAKE_COUNT
    const count = (counted + BigInt(`0x${firstResult(answer)}`)).toString(16).padStart(64, '0')
    return isCount ? { ...(answer as object), constant_result: [count] } : answer
  }
  const { settle } = await startWatching({ tron: [{ change: lie }] })
  await settle()
  expect(read).toBe(0)
  counted = 1n
  await settle()
  expect(read).toBeGreaterThan(0)
  expect(await alarms()).toEqual(['events_incomplete TRON'])
  const before = read
  await settle()
  expect(read).toBe(before)
})

test('while no node returns whole blocks, an alarm reports it, and the payment is booked once one does', async () => {
  let isOffered = false
  const { settle } = await startWatching({
    bsc: [
      {
        ...withHoles,
        reply: ({ method, body }) =>
          method === 'eth_getBlockReceipts' && !isOffered
            ? {
                status: 200,
                body: JSON.stringify({ jsonrpc: '2.0', id: body.id, error: NOT_OFFERED }),
              }
            : undefined,
      },
    ],
  })
  await settle()
  const lost = await mintUsdt(host(), host().serviceKeys.feeReceiver.bscAddress, 3n)
  hidden.add(lost)
  await expect(settle()).rejects.toThrow(/does not exist/)
  expect(await alarms()).toContain('events_incomplete BSC')
  expect(await eventsOf(lost)).toEqual([])
  isOffered = true
  await settle()
  expect(await eventsOf(lost)).toEqual(['Transfer'])
})

test.each([
  ['nodes do not answer', /^eth_get(Logs|BlockReceipts)$/],
  ['nodes cannot search for events', /^eth_getLogs$/],
])('while %s, no events are said to be missing, nor afterwards', async (_, unanswered) => {
  let isAway = false
  const { settle, loops } = await startWatching({
    bsc: [
      {
        reply: ({ method }) =>
          isAway && unanswered.test(method) ? { status: 502, body: '' } : undefined,
      },
    ],
  })
  await settle()
  isAway = true
  const paid = await mintUsdt(host(), host().serviceKeys.feeReceiver.bscAddress, 9n)
  await live(loops, 4)
  isAway = false
  await live(loops, 2)
  expect(await eventsOf(paid)).toEqual(['Transfer'])
  expect((await alarms()).filter((alarm) => alarm.startsWith('event'))).toEqual([])
})

const NOT_OFFERED = { code: -32_601, message: 'the method eth_getBlockReceipts does not exist' }
/** The selector of `stakeCount()`. */
const STAKE_COUNT = 'c4a9e116'
const firstResult = (answer: unknown) =>
  (answer as { constant_result?: string[] }).constant_result?.[0] ?? '0'
