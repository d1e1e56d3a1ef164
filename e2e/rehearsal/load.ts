import { type ChaosWorld, liveOneRound } from '../chaos/chaos-world.ts'

/** Holders who keep claiming and paying, and an admin who keeps approving, during a rehearsal. */
export type Load = {
  start(): void
  /** Ends after the round at hand. @throws what the load ran into */
  stop(): Promise<void>
}

/** Everybody but the first holder, whom the rehearsal itself lets act. */
export function createLoad(world: ChaosWorld): Load {
  let life: { isOver: boolean; ended: Promise<void> } | undefined
  return {
    start() {
      const current = { isOver: false, ended: Promise.resolve() }
      current.ended = (async () => {
        while (!current.isOver) await liveOneRound({ ...world, holders: world.holders.slice(1) })
      })()
      // Reported by `stop`; until then the rehearsal goes on.
      current.ended.catch(() => undefined)
      life = current
    },
    async stop() {
      if (life !== undefined) life.isOver = true
      await life?.ended
      life = undefined
    },
  }
}
