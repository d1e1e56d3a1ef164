import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { formatTronAddress } from '@dct/rules/addresses'
import { rewardOf } from '@dct/rules/quota'
import { sql } from 'kysely'
import { type BusinessDay, startOfBusinessDay } from '../apps/server/src/platform/clock.ts'
import { type Db, inBooking } from '../apps/server/src/platform/database/db.ts'
import { ManualClock } from '../apps/server/src/testing/manual-clock.ts'
import { dct } from '../apps/server/src/testing/plans.ts'
import { givenFundedPlan } from '../apps/server/src/testing/stakes.ts'
import { endChildren, messageFrom, messagesFrom, startChild } from './children.ts'
import { duration, megabytes, ratio, speed } from './figures.ts'
import type { Report } from './results.ts'
import type { Chain } from './stand-in-node.ts'
import { createBareTable, latencyOf, median, timed, withDatabase } from './support.ts'
import type { Booked, WatcherOrder } from './watcher-process.ts'

/** Each stake emits two events, one from each contract. */
const EVENTS_PER_STAKE = 2
const EVENTS_PER_BLOCK = 200
const BLOCK_MS = 3_000
const FUNDS = '1000000000'
const START = startOfBusinessDay('2026-01-10' as BusinessDay)
const STAKING = Buffer.alloc(20, 0x5a)
const REWARD_POOL = Buffer.alloc(20, 0x9b)
const LOCKED = dct('50')

/** `blocks` with `events` in total, then `liveBlocks` with 200 events each, one block every three seconds. */
export type WatcherBench = { blocks: number; events: number; liveBlocks: number }

/**
 * Benchmarks the Tron watcher with a real database and a stand-in for the node: how fast it catches up, how far it lags
 * behind a chain whose blocks are full, and how much memory it uses while catching up.
 */
export async function benchWatcher(report: Report, bench: WatcherBench): Promise<void> {
  await withDatabase(async (db, url) => {
    const clock = new ManualClock(START)
    const facts = { totalReward: FUNDS, dailyLimit: FUNDS }
    const plan = await givenFundedPlan({ db, clock }, facts)
    const bareMs = await bareInserts(db, Math.min(bench.events, MOST_BARE))
    const chain: Chain = {
      ...{ planCode: plan.code, durationDays: plan.durationDays, amount: `${LOCKED}` },
      ...{ staking: hexOf(STAKING), rewardPool: hexOf(REWARD_POOL) },
      ...{ reward: `${rewardOf(LOCKED, plan.rate)}`, startsAt: START.getTime() / 1_000 },
      ...{ blocks: bench.blocks, stakes: bench.events / EVENTS_PER_STAKE },
      perBlock: EVENTS_PER_BLOCK / EVENTS_PER_STAKE,
    }
    const node = startChild('stand-in-node.ts', [JSON.stringify(chain)])
    const watcher = startChild('watcher-process.ts')
    try {
      const port = (await messageFrom(node)) as number
      const order: WatcherOrder = { settings: settingsOf(url, port), now: START }
      watcher.send(order)
      await catchUp(report, { watcher, bench, bareMs })
      await follow(report, { node, watcher, bench })
    } finally {
      await endChildren([watcher, node])
    }
  })
}

type Catching = { watcher: ChildProcess; bench: WatcherBench; bareMs: number }

async function catchUp(report: Report, { watcher, bench, bareMs }: Catching): Promise<void> {
  const { blocks, events } = bench
  const seen: Booked[] = []
  const start = performance.now()
  for await (const booked of bookedBy(watcher)) {
    seen.push(booked)
    if (booked.block >= blocks) break
  }
  const ms = performance.now() - start
  const at = (share: number) => seen.find(({ block }) => block >= blocks * share) ?? seen[0]
  const [first, middle, last] = [at(FIRST), at(0.5), at(1)]
  if (first === undefined || middle === undefined || last === undefined)
    throw new Error('nothing was booked')
  report(`catching up ${blocks} blocks with ${events} events`, {
    seconds: duration(ms / 1_000, 1),
    'blocks a second': speed((blocks * 1_000) / ms),
    'events a second': speed((events * 1_000) / ms),
    'time an event, in bare inserts': ratio(ms / events / bareMs, { wanted: 'less' }),
    'processor time an event, µs': duration(last.processorUs / events),
    'memory near the start, MB': megabytes(first.residentBytes / MB),
    'memory in the middle, MB': megabytes(middle.residentBytes / MB),
    'memory at the end, MB': megabytes(last.residentBytes / MB),
    'memory at the end, of the middle': ratio(last.residentBytes / middle.residentBytes, {
      wanted: 'less',
    }),
  })
}

const bookedBy = (watcher: ChildProcess) => messagesFrom(watcher) as AsyncIterable<Booked>

const MB = 2 ** 20
/** The share of the blocks at which memory is first read: by then all code has run. */
const FIRST = 0.1

type Following = { node: ChildProcess; watcher: ChildProcess; bench: WatcherBench }

async function follow(report: Report, { node, watcher, bench }: Following): Promise<void> {
  const { blocks, liveBlocks } = bench
  const finalAt = new Map<number, number>()
  const behind: number[] = []
  const last = blocks + liveBlocks
  const booking = (async () => {
    let done = blocks
    for await (const booked of bookedBy(watcher)) {
      for (; done < booked.block; done += 1) {
        behind.push(performance.now() - (finalAt.get(done + 1) ?? Number.NaN))
      }
      if (done >= last) return
    }
  })()
  for (let block = blocks + 1; block <= last; block += 1) {
    finalAt.set(block, performance.now())
    node.send(block)
    if (block < last) await pause(BLOCK_MS)
  }
  await booking
  const seconds = behind.map((ms) => ms / 1_000)
  report(`${liveBlocks} blocks of ${EVENTS_PER_BLOCK} events, one every ${BLOCK_MS / 1_000} s`, {
    'seconds behind, p50 / p99': latencyOf(seconds),
    'time to book a block, of a block time': ratio(median(behind) / BLOCK_MS, { wanted: 'less' }),
  })
}

/** More would only take longer. */
const MOST_BARE = 10_000
/** As many events as a range of a thousand blocks has. */
const BARE_AT_ONCE = 100

/** Milliseconds of a bare insert of one row, in transactions of a hundred over one connection. */
async function bareInserts(db: Db, rows: number): Promise<number> {
  await createBareTable(db)
  const transactions = Math.ceil(rows / BARE_AT_ONCE)
  const insertMany = () =>
    inBooking(db, async (tx) => {
      for (let n = 0; n < BARE_AT_ONCE; n += 1) {
        await sql`insert into bare (what) values (${`${n}`})`.execute(tx)
      }
    })
  const ms = await timed(async () => {
    for (let n = 0; n < transactions; n += 1) await insertMany()
  })
  return ms / (transactions * BARE_AT_ONCE)
}

/** The settings of a watcher whose node is the stand-in; it reads nothing from BSC. */
function settingsOf(databaseUrl: string, port: number): Record<string, string> {
  const url = `http://127.0.0.1:${port}`
  const bscAddress = (n: number) => `0x${'b5'.repeat(19)}0${n}`
  return {
    ...{ MODE: 'devnet', LOG_LEVEL: 'warn', DATABASE_URL: databaseUrl, CONTROL_URL: url },
    ...{ TRON_FULL_HOST: url, TRON_START_BLOCK: '1' },
    ...{ TRON_TOKEN: formatTronAddress(Buffer.alloc(20, 0x70)) },
    ...{ TRON_STAKING: formatTronAddress(STAKING) },
    ...{ TRON_REWARD_POOL: formatTronAddress(REWARD_POOL) },
    ...{ BSC_RPC: url, BSC_START_BLOCK: '1', BSC_USDT: bscAddress(1) },
    ...{ BSC_RECEIVER: bscAddress(2), BSC_PAYOUT_VAULT: bscAddress(3) },
    NODE_REQUESTS_PER_SECOND: '100000',
  }
}

const hexOf = (bytes: Buffer) => `0x${bytes.toString('hex')}` as const
