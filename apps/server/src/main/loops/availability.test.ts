import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { everything } from '../../testing/all-tables.ts'
import { startRealApp } from '../../testing/real-app.ts'
import { apiLoops, watcherLoops, workerLoops } from './loops.ts'
import { senderLoops } from './sender-loops.ts'

const host = useChainHost()
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true }))
afterEach(() => vi.useRealTimers())

const LONGER_THAN_A_GAP_MS = 10 * 60_000

test('only processes that answer holders record that claims are possible, so that an outage of those excuses its days', async () => {
  const real = await startRealApp(host())
  onTestFinished(() => real.stop())
  const { context } = real
  const spans = () =>
    everything(context.db).selectFrom('claim_availability').selectAll().orderBy('id').execute()
  const step = async (loops: readonly Loop[]) => {
    vi.setSystemTime(realClock.now().getTime() + LONGER_THAN_A_GAP_MS)
    for (const loop of loops) await loop.step()
  }
  await step(apiLoops(context))
  const before = await spans()
  const others = [
    ...watcherLoops(context),
    ...workerLoops(context),
    ...(await senderLoops(context)),
  ]
  await step(others)
  expect(await spans()).toEqual(before)
  await step(apiLoops(context))
  expect(await spans()).toHaveLength(before.length + 1)
})
