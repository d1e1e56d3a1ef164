import { expect, test } from 'vitest'
import { PATIENCE_MS, useMortalSenders } from '../../testing/mortal-senders.ts'
import { CRASH_STEPS } from './crash-point.ts'

const senders = useMortalSenders()

const CASES = (['TRON', 'BSC'] as const).flatMap((chain) =>
  CRASH_STEPS.map((step) => [chain, step] as const),
)

test.each(CASES)(
  '[T069] on %s a sender killed at %s pays everybody exactly once after its restart',
  async (chain, step) => {
    const ids = await senders.givenPayouts(chain)
    const before = await senders.balanceOn(chain)
    expect(await senders.endOf(senders.start(chain, { crashAt: step }))).toEqual({
      code: null,
      signal: 'SIGKILL',
    })
    expect(await senders.endOf(senders.start(chain))).toEqual({ code: 0, signal: null })
    await senders.expectPaidOnce(chain, ids, before)
  },
  2 * PATIENCE_MS,
)

test.each(['before-sign', 'after-sign-before-save', 'after-save'])(
  '[T069] a sender killed at %s pays everybody exactly once after its restart, although its key signs differently each time',
  async (step) => {
    const ids = await senders.givenPayouts('BSC')
    const before = await senders.balanceOn('BSC')
    expect(
      (await senders.endOf(senders.start('BSC', { crashAt: step, isKeyRemote: true }))).signal,
    ).toBe('SIGKILL')
    expect((await senders.endOf(senders.start('BSC', { isKeyRemote: true }))).code).toBe(0)
    await senders.expectPaidOnce('BSC', ids, before)
  },
  2 * PATIENCE_MS,
)
