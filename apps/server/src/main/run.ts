import { PinMismatch } from '../platform/pins.ts'
import { readOwnConfig, SettingsError } from './config.ts'
import { type Context, createContext } from './context.ts'

const STOP_PATIENCE_MS = 12_000

/** A start that cannot go on, in words for the operator. */
export class StartError extends Error {
  override name = 'StartError'
}

/** A part of a process that is ended with it. */
export type Running = { stop(): Promise<void> }

/**
 * Reads the settings, builds the context, runs the process until it is told to stop, and ends everything in
 * reverse order. Expected reasons not to start are one plain message and exit code 1.
 */
export async function runProcess(start: (context: Context) => Promise<Running>): Promise<void> {
  try {
    const context = await createContext(readOwnConfig())
    const running = await startOrClose(context, start)
    const stop = async () => {
      setTimeout(() => process.exit(1), STOP_PATIENCE_MS).unref()
      await running.stop()
      await context.close()
      process.exit(0)
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop())
  } catch (error) {
    fail(error)
  }
}

/** Runs a command once and ends. */
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

function fail(error: unknown): never {
  const isExpected = [SettingsError, PinMismatch, StartError].some((kind) => error instanceof kind)
  const text =
    error instanceof Error
      ? isExpected
        ? error.message
        : (error.stack ?? error.message)
      : String(error)
  process.stderr.write(`${text}\n`)
  process.exit(1)
}
