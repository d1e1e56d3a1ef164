import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterEach, expect, test, vi } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { type FaultyProxy, startFaultyProxy } from '../../testing/faulty-proxy.ts'
import { settingsOf } from '../../testing/host-settings.ts'
import { readConfig } from '../config.ts'
import { createContext } from '../context.ts'
import { runnerOf, watcherLoops, workerLoops } from '../loops/loops.ts'

const host = useChainHost()
const MINUTES = 10
const SAMPLES_A_DAY = (24 * 60) / MINUTES
/** How long the idle loops of a quiet process pause; the test checks at the same interval which loops are due. */
const TICK_MS = 3_000
const ALLOWED_A_DAY = 60_000

afterEach(() => {
  vi.useRealTimers()
})

async function countingProxy(target: string): Promise<FaultyProxy & { asked(): number }> {
  const proxy = await startFaultyProxy(target)
  let asked = 0
  proxy.setFaults(() => {
    asked += 1
    return 'none'
  })
  return { ...proxy, asked: () => asked }
}

/** Steps loops as the runner does: an idle loop only after its pause. */
function stepsInTime(loops: readonly Loop[]): () => Promise<void> {
  const dueAt = new Map<Loop, number>()
  return async () => {
    const now = realClock.now().getTime()
    const due = loops.filter((loop) => now >= (dueAt.get(loop) ?? 0))
    await stepAll(due)
    for (const loop of due) dueAt.set(loop, now + (loop.pauseMs ?? 0))
  }
}

async function stepAll(loops: readonly Loop[]): Promise<void> {
  for (const loop of loops) while (!(await loop.step()));
}

test('an idle day with live timing takes fewer than 60,000 requests each to Tron and to BSC', async () => {
  const database = await createTestDatabase()
  const [tron, bsc] = [await countingProxy(host().tronUrl), await countingProxy(host().bscUrl)]
  const devnet = readConfig({
    ...settingsOf(host(), database.settings),
    LOG_LEVEL: 'silent',
    TRON_FULL_HOST: tron.url,
    BSC_RPC: bsc.url,
  })
  // Live timing on development chains, whose settings only devnet accepts.
  const context = await createContext({ ...devnet, mode: 'live', devnet: undefined })
  const loops = [...watcherLoops(context), ...workerLoops(context)]
  const runner = runnerOf(context, loops)
  vi.useFakeTimers({ toFake: ['Date'], now: realClock.now() })
  // Blocks are mined only between steps: on a busy machine, calls take so much of a block's time that many would be
  // repeated.
  await host().control.pauseMining()
  // The requests of the start are not part of an idle day; those of the hourly audit are, and are counted separately.
  const isAudit = ({ name }: Loop) => name === 'audit'
  await stepAll(loops.filter((loop) => !isAudit(loop)))
  const begun = [tron.asked(), bsc.asked()]
  await stepAll(loops.filter(isAudit))
  const audited = [tron.asked(), bsc.asked()]
  const stepDue = stepsInTime(loops)
  for (let ms = 0; ms < MINUTES * 60_000; ms += TICK_MS) {
    vi.setSystemTime(realClock.now().getTime() + TICK_MS)
    await host().control.finalize()
    await stepDue()
  }
  const ended = [tron.asked(), bsc.asked()]
  await runner.stop()
  await context.close()
  await Promise.all([tron.stop(), bsc.stop()])
  await database.drop()
  const aDay = ended.map((count, at) => {
    const [before = 0, after = 0] = [begun[at], audited[at]]
    return (after - before) * 24 + (count - after) * SAMPLES_A_DAY
  })
  // Both chains were polled, each several times a minute.
  for (const requests of aDay) expect(requests).toBeGreaterThan(10_000)
  for (const requests of aDay) expect(requests).toBeLessThan(ALLOWED_A_DAY)
}, 120_000)
