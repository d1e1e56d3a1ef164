import { setTimeout as pause } from 'node:timers/promises'

const PATIENCE_MS = 120_000
const PAUSE_MS = 200

/** Polls until a condition holds. @throws Error if it takes too long */
export async function until(what: string, isMet: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (performance.now() < deadline) {
    if (await isMet()) return
    await pause(PAUSE_MS)
  }
  throw new Error(`timed out waiting until ${what}`)
}
