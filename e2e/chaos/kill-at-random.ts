import { setTimeout as pause } from 'node:timers/promises'
import type { ChaosWorld } from './chaos-world.ts'

/** A start takes a second or more, so some kills hit a server that is still starting. */
const START_MS = 2_500
const LIFE_MS = 2_500
const KILLS_WHILE_STARTING = 0.25

/** Kills the server this many times at random moments, restarts it immediately each time, and waits until it is healthy. */
export async function killAtRandom(
  { server, random }: ChaosWorld,
  kills: number,
  onKill: (done: number) => void = () => {},
): Promise<void> {
  for (let done = 1; done <= kills; done += 1) {
    if (random.chance(KILLS_WHILE_STARTING)) await pause(random.below(START_MS))
    else {
      await server.untilHealthy()
      await pause(random.below(LIFE_MS))
    }
    await server.kill()
    onKill(done)
    server.start()
  }
  await server.untilHealthy()
}
