import { randomInt } from 'node:crypto'
import { assertPortFree } from '../ports.ts'

/** Below the ephemeral ports, which systems (Linux, macOS, Windows, gVisor) assign to any program that needs a port. */
const [LOWEST, END] = [10_000, 16_000]

/**
 * A free port on 127.0.0.1 for a server that starts a few seconds later. Unlike a port from `freePort`, it will not be
 * assigned to anybody else in the meantime.
 */
export async function portForLater(): Promise<number> {
  while (true) {
    const port = randomInt(LOWEST, END)
    const isFree = await assertPortFree(port).then(
      () => true,
      () => false, // the port is in use
    )
    if (isFree) return port
  }
}
