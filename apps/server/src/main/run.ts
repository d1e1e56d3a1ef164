import { NodeUnavailable } from '@dct/chain-clients'
import { SchemaMismatch } from '../platform/database/migrate.ts'
import { PinMismatch } from '../platform/database/pins.ts'
import { type Config, readOwnConfig, SettingsError } from './config.ts'
import { type Context, createContext } from './context.ts'
import { StartError } from './start-error.ts'

const STOP_PATIENCE_MS = 12_000

/** A part of a process that must be stopped before the process ends. */
export type Running = { stop(): Promise<void> }

/** Combines parts of a process that are to be stopped one after the other. */
export function stopAll(...parts: readonly Running[]): Running {
  return {
    async stop() {
      for (const part of parts) await part.stop()
    },
  }
}

/**
 * Reads the settings, builds the context, runs the process until it is asked to stop, and shuts everything down in
 * reverse order. An expected reason not to start is printed as a plain message, with exit code 1.
 */
export async function runProcess(start: (context: Context) => Promise<Running>): Promise<void> {
  try {
    const context = await createContext(readOwnConfig())
    let running: Running | undefined
    const stop = async () => {
      setTimeout(() => process.exit(1), STOP_PATIENCE_MS).unref()
      await running?.stop()
      if (running !== undefined) await context.close()
      process.exit(0)
    }
    // Installed before the start, because the process may be stopped as soon as it announces that it is ready.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
    running = await startOrClose(context, start)
  } catch (error) {
    fail(error)
  }
}

/** Runs a command with a context. Its result is the exit code. */
export async function runCommand(work: (context: Context) => Promise<number>): Promise<void> {
  try {
    const context = await createContext(readOwnConfig())
    process.exitCode = await work(context)
    await context.close()
  } catch (error) {
    fail(error)
  }
}

async function startOrClose(
  context: Context,
  start: (context: Context) => Promise<Running>,
): Promise<Running> {
  try {
    return await start(context)
  } catch (error) {
    await context.close()
    throw error
  }
}

/** Like `runCommand`, for a command that needs no context: a database that may be empty, no nodes. */
export async function runWithSettings(work: (config: Config) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work(readOwnConfig())
  } catch (error) {
    fail(error)
  }
}

/** Errors whose message tells an operator what to do. */
const EXPECTED = [SettingsError, PinMismatch, SchemaMismatch, StartError, NodeUnavailable]

function fail(error: unknown): never {
  const isExpected = EXPECTED.some((kind) => error instanceof kind)
  const text =
    error instanceof Error
      ? isExpected
        ? error.message
        : (error.stack ?? error.message)
      : String(error)
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
