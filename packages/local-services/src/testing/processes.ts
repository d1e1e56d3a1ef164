import { setTimeout as pause } from 'node:timers/promises'
import { inspectProcess } from '../processes.ts'

/** Resolves when none of these processes is running any more; zombies do not count as running. */
export async function untilGone(pids: readonly number[], patienceMs = 15_000): Promise<void> {
  const deadline = performance.now() + patienceMs
  const alive = () => pids.filter((pid) => inspectProcess(pid).state === 'alive')
  while (alive().length > 0) {
    if (performance.now() > deadline) throw new Error(`still running: ${alive().join(', ')}`)
    await pause(50)
  }
}
