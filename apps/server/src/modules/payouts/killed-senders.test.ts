import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { PATIENCE_MS, useMortalSenders } from '../../testing/mortal-senders.ts'

const senders = useMortalSenders()

const BOTH_KEYS = (['TRON', 'BSC'] as const).flatMap((chain) => [
  [chain, 'their own key', false] as const,
  [chain, 'a key service', true] as const,
])

test.each(BOTH_KEYS)(
  '[T069, T071] on %s two senders with %s, killed at random moments, pay everybody exactly once',
  async (chain, _key, isKeyRemote) => {
    const ids = [...(await senders.givenPayouts(chain)), ...(await senders.givenPayouts(chain))]
    const before = await senders.balanceOn(chain)
    for (let round = 0; round < 4; round += 1) {
      const children = [0, 1].map(() => senders.start(chain, { isKeyRemote }))
      await senders.untilBegun(ids, round)
      await sleep(150 + round * 50)
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(children.map((child) => senders.endOf(child)))
    }
    const last = [0, 1].map(() => senders.start(chain, { isKeyRemote }))
    for (const end of await Promise.all(last.map((child) => senders.endOf(child))))
      expect(end.code).toBe(0)
    await senders.expectPaidOnce(chain, ids, before)
  },
  3 * PATIENCE_MS,
)
