import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { realClock } from '../../platform/clock.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { type FreshSenderWorld, freshSenderWorld } from '../../testing/fresh-sender-world.ts'
import {
  bscWatcherOf,
  tronWatcherOf,
  watchedBsc,
  watchedTron,
} from '../../testing/payment-watchers.ts'
import { runToEnd } from '../../testing/run-to-end.ts'
import { dctOf, givenPlan, usdtOf } from '../../testing/sender-chains.ts'
import { attemptsOf, bscSenderOf, payoutRow, tronSenderOf } from '../../testing/senders.ts'
import { payoutChecks } from '../audit/checks/payouts.ts'
import { describeChanges, endHalt, inspectHalt } from '../chain/index.ts'

const EXPIRED_MS = 12 * 60_000
const STAKED = 50_000_000n

const host = useChainHost()
const database = useTestDatabase()
let fresh: FreshSenderWorld

beforeAll(() => givenPlan(host()))
beforeEach(async () => {
  fresh = await freshSenderWorld(database.db, host())
})
afterEach(() => host().control.resumeMining())

const CHAINS = {
  TRON: {
    name: 'tron',
    amount: 1_000n,
    watch: () => watchedTron(fresh.world),
    watcher: () => tronWatcherOf(fresh.world),
    sender: () => tronSenderOf(fresh.world),
    received: async () => (await dctOf(host(), fresh.holder.address)) - STAKED,
  },
  BSC: {
    name: 'bsc',
    amount: 7n * 10n ** 12n,
    watch: () => watchedBsc(fresh.world),
    watcher: () => bscWatcherOf(fresh.world),
    sender: () => bscSenderOf(fresh.world),
    received: () => usdtOf(host(), fresh.receiver),
  },
} as const

describe.each(['TRON', 'BSC'] as const)('%s', (chain) => {
  const { name, amount, watch, watcher, sender, received } = CHAINS[chain]
  const stateOf = async (id: bigint) => (await payoutRow(database.db, id)).state
  const height = async () => (await host().control.info())[name].head.number

  /** Replaces the blocks since then, although they were final, until the watcher has noticed it. */
  async function undoSince(after: number, options: { keepTransactions?: boolean } = {}) {
    await host().control.reorg({ chain: name, after, ...options })
    await host().control.finalize()
    await watcher().catchUp()
    return inspectHalt(watch())
  }
  const end = (digest: string) =>
    endHalt({ ...watch(), clock: realClock }, digest, async () => undefined)
  async function differences() {
    const results = payoutChecks.map((check) => check.run(database.db, { isFull: true }))
    return (await Promise.all(results)).flatMap((result) => result.differences)
  }

  test('[T063] a final payment that is undone for good is made again once an admin has ended the halt, and paid once', async () => {
    const before = await height()
    const [first, second] = [
      await fresh.givenPayout(chain, amount),
      await fresh.givenPayout(chain, amount),
    ]
    await runToEnd(fresh.world, sender())
    expect(await received()).toBe(2n * amount)
    await host().control.pauseMining()
    const review = await undoSince(before)
    expect(describeChanges(review)).toContain('payments are made again')
    expect([await stateOf(first), await received()]).toEqual(['final', 0n])

    await end(review.digest)
    expect([await stateOf(first), await stateOf(second)]).toEqual(['sent', 'sent'])
    expect(await differences()).toEqual([])
    expect(await openAlarms(database.db)).toEqual([])
    const { nowMs } = await host().control.resumeMining()
    await runToEnd(fresh.world, sender())
    // On Tron, a transaction that names a block that is gone must expire before the payment is signed again.
    await host().control.advanceTo({ timestampMs: nowMs + EXPIRED_MS })
    await runToEnd(fresh.world, sender())
    expect([await stateOf(first), await stateOf(second)]).toEqual(['final', 'final'])
    expect(await received()).toBe(2n * amount)
    expect(await differences()).toEqual([])
  })

  test('[T063] a payment that is only in other blocks stays as it is', async () => {
    const before = await height()
    const id = await fresh.givenPayout(chain, amount)
    await runToEnd(fresh.world, sender())
    await host().control.pauseMining()
    await end((await undoSince(before, { keepTransactions: true })).digest)
    expect(await stateOf(id)).toBe('final')
    await host().control.resumeMining()
    await runToEnd(fresh.world, sender())
    expect(await received()).toBe(amount)
    expect((await attemptsOf(database.db, id)).map(({ state }) => state)).toEqual(['confirmed'])
  })
})
