import { randomInt } from 'node:crypto'
import { assertPortFree } from '../ports.ts'

/** Below the ports that systems (Linux, macOS, Windows, gVisor) give to whoever asks for any port, or connects. */
const [LOWEST, END] = [10_000, 16_000]

/**
 * A free port of 127.0.0.1 for a server that starts in a few seconds: unlike one from `freePort`, it is given to nobody
 * else in the meantime.
 */
export async function portForLater(): Promise<number> {
  while (true) {
    const port = randomInt(LOWEST, END)
    const isFree = await assertPortFree(port).then(
      () => true,
      () => false, // somebody listens there
    )
    if (isFree) return port
  }
}
