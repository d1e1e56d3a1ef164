import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ExitOutcome, type GuardedProcess, startGuarded } from '@dct/local-services'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'
import { portForLater } from '@dct/local-services/testing/port-for-later'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const READY_WITHIN_MS = 90_000
const KEPT_LINES = 200

/** The whole product as `npm start` runs it, with a separate port and data folder. */
export type Stack = {
  url: string
  dataDir: string
  /** The last lines of its output. */
  output(): string
  stop(): Promise<void>
}

export type StackOptions = { dataDir?: string; env?: Record<string, string> }

/** Starts the product and waits until it is healthy. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'dct-e2e-'))
  const port = await portForLater()
  const lines: string[] = []
  const supervisor = startGuarded({
    command: process.execPath,
    args: ['devnet/src/main.ts'],
    cwd: ROOT,
    env: {
      ...ownEnvironment(),
      PORT: `${port}`,
      DATA_DIR: dataDir,
      ...options.env,
    },
    onOutput(line) {
      lines.push(line)
      lines.splice(0, lines.length - KEPT_LINES)
    },
  })
  const output = () => lines.join('\n')
  const stop = async () => {
    await supervisor.stop('SIGTERM', 30_000)
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  const url = `http://127.0.0.1:${port}`
  try {
    await untilHealthy(url, supervisor)
  } catch (error) {
    await stop()
    throw new Error(`The product did not start:\n${output()}`, { cause: error })
  }
  return { url, dataDir, output, stop }
}

/** Waits until the health call answers 200. @throws Error if the process exits first or takes too long */
export async function untilHealthy(
  url: string,
  { exited }: GuardedProcess,
  pauseMs = 100,
): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  let outcome: ExitOutcome | undefined
  void exited.then((found) => {
    outcome = found
  })
  while (performance.now() < deadline && outcome === undefined) {
    if (await isHealthy(url)) return
    await pause(pauseMs)
  }
  throw new Error(
    outcome === undefined
      ? 'It was not ready in time'
      : `It exited before it was ready (code ${outcome.code}, signal ${outcome.signal})`,
  )
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2_000) })
    await reply.arrayBuffer()
    return reply.status === 200
  } catch {
    // Nothing is listening yet.
    return false
  }
}
