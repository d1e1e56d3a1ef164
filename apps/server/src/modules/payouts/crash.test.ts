import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { useTestDatabase } from '../../testing/database.ts'
import { type FreshSenderWorld, freshSenderWorld } from '../../testing/fresh-sender-world.ts'
import type { SenderOrder } from '../../testing/run-sender.ts'
import { dctOf, givenPlan, usdtOf } from '../../testing/sender-chains.ts'
import { attemptsOf, payoutRow } from '../../testing/senders.ts'
import { account, balanceOf } from '../ledger/index.ts'
import { CRASH_STEPS } from './crash-point.ts'

const SCRIPT = fileURLToPath(new URL('../../testing/run-sender.ts', import.meta.url))
const UNITS = { TRON: 1_000n, BSC: 10n ** 18n }
/** Enough for a restarted sender to finish three payouts on a busy machine. */
const PATIENCE_MS = 30_000

const host = useChainHost()
const database = useTestDatabase()
let fresh: FreshSenderWorld

beforeAll(() => givenPlan(host()))
beforeEach(async () => {
  fresh = await freshSenderWorld(database.db, host())
})

function startSender(
  chain: 'TRON' | 'BSC',
  crashAt: string | null,
  isKeyRemote = false,
): ChildProcess {
  const { tronUrl, tronJsonRpcUrl, bscUrl, deployment, serviceKeys } = fresh.world.chains
  const order: SenderOrder = {
    databaseUrl: database.url,
    chain,
    chains: { tronUrl, tronJsonRpcUrl, bscUrl, deployment, serviceKeys },
    crashAt,
    isKeyRemote,
  }
  return spawn(process.execPath, [SCRIPT, JSON.stringify(order)], { stdio: 'inherit' })
}

async function endOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  const deadline = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  clearTimeout(deadline)
  return { code, signal }
}

/** Creates three payouts of one unit each on that chain. */
async function givenPayouts(chain: 'TRON' | 'BSC'): Promise<bigint[]> {
  const ids: bigint[] = []
  for (let at = 0; at < 3; at += 1) {
    ids.push(await fresh.givenPayout(chain, UNITS[chain]))
  }
  return ids
}

const balanceOn = (chain: 'TRON' | 'BSC') =>
  chain === 'TRON' ? dctOf(host(), fresh.holder.address) : usdtOf(host(), fresh.receiver)

/** Waits until that many of the payouts are signed: kills timed only by the clock come too early on a busy machine. */
async function untilBegun(ids: readonly bigint[], wanted: number): Promise<void> {
  for (let begun = 0; begun < wanted; await sleep(20)) {
    const rows = await Promise.all(ids.map((id) => payoutRow(database.db, id)))
    begun = rows.filter(({ state }) => state !== 'waiting').length
  }
}

async function expectPaidOnce(chain: 'TRON' | 'BSC', ids: readonly bigint[], before: bigint) {
  await host().control.finalize()
  expect((await balanceOn(chain)) - before).toBe(BigInt(ids.length) * UNITS[chain])
  for (const id of ids) {
    expect((await payoutRow(database.db, id)).state).toBe('final')
    const attempts = await attemptsOf(database.db, id)
    expect(attempts.map(({ state }) => state)).toEqual(['confirmed'])
    const asset = chain === 'TRON' ? 'DCT' : 'USDT'
    expect(await balanceOf(database.db, { asset, account: account.payout(id) })).toBe(0n)
  }
}

const CASES = (['TRON', 'BSC'] as const).flatMap((chain) =>
  CRASH_STEPS.map((step) => [chain, step] as const),
)

test.each(CASES)(
  '[T069] on %s a sender killed at %s pays everybody exactly once after its restart',
  async (chain, step) => {
    const ids = await givenPayouts(chain)
    const before = await balanceOn(chain)
    expect(await endOf(startSender(chain, step))).toEqual({ code: null, signal: 'SIGKILL' })
    expect(await endOf(startSender(chain, null))).toEqual({ code: 0, signal: null })
    await expectPaidOnce(chain, ids, before)
  },
  2 * PATIENCE_MS,
)

test.each(['before-sign', 'after-sign-before-save', 'after-save'])(
  '[T069] a sender killed at %s pays everybody exactly once after its restart, although its key signs differently each time',
  async (step) => {
    const ids = await givenPayouts('BSC')
    const before = await balanceOn('BSC')
    expect((await endOf(startSender('BSC', step, true))).signal).toBe('SIGKILL')
    expect((await endOf(startSender('BSC', null, true))).code).toBe(0)
    await expectPaidOnce('BSC', ids, before)
  },
  2 * PATIENCE_MS,
)

const BOTH_KEYS = (['TRON', 'BSC'] as const).flatMap((chain) => [
  [chain, 'their own key', false] as const,
  [chain, 'a key service', true] as const,
])

test.each(BOTH_KEYS)(
  '[T069, T071] on %s two senders with %s, killed at random moments, pay everybody exactly once',
  async (chain, _key, isKeyRemote) => {
    const ids = [...(await givenPayouts(chain)), ...(await givenPayouts(chain))]
    const before = await balanceOn(chain)
    for (let round = 0; round < 4; round += 1) {
      const children = [0, 1].map(() => startSender(chain, null, isKeyRemote))
      await untilBegun(ids, round)
      await sleep(150 + round * 50)
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(children.map(endOf))
    }
    const last = [0, 1].map(() => startSender(chain, null, isKeyRemote))
    for (const end of await Promise.all(last.map(endOf))) expect(end.code).toBe(0)
    await expectPaidOnce(chain, ids, before)
  },
  3 * PATIENCE_MS,
)
