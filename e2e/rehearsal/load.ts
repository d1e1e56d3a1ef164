import { type ChaosWorld, runRound } from '../chaos/chaos-world.ts'

/** The background load of a rehearsal: holders who keep claiming and paying, and an admin who keeps approving. */
export type Load = {
  start(): void
  /** Stops after the current round. @throws the error that ended the load early */
  stop(): Promise<void>
}

/** Uses every holder except the first, whom the rehearsal itself controls. */
export function createLoad(world: ChaosWorld): Load {
  let life: { isOver: boolean; ended: Promise<void> } | undefined
  return {
    start() {
      const current = { isOver: false, ended: Promise.resolve() }
      current.ended = (async () => {
        while (!current.isOver) await runRound({ ...world, holders: world.holders.slice(1) })
      })()
      // `stop` reports the error; until then the rehearsal continues.
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
