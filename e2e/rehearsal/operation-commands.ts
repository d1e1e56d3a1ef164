import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

export const ROOT = join(import.meta.dirname, '../..')
const PATIENCE_MS = 240_000
const PAUSE_MS = 2_000
const MOST_OUTPUT_BYTES = 50_000_000

type Options = { cwd?: string; env?: NodeJS.Dict<string> }

const failure = (program: string, args: readonly string[], error: unknown) => {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
  const message = `${program} ${args.join(' ')} failed: ${stdout}${stderr || error}`
  return new Error(message, { cause: error })
}

/** @throws Error with everything that the program wrote, unless it succeeds */
export function run(program: string, args: readonly string[], options: Options = {}): string {
  const { cwd = ROOT, env = {} } = options
  try {
    return execFileSync(program, args, {
      ...{ cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
      ...{ env: { ...process.env, ...env }, maxBuffer: MOST_OUTPUT_BYTES },
    })
  } catch (error) {
    throw failure(program, args, error)
  }
}

/** The same without blocking this process, whose nodes a service may be asking. */
export async function runBeside(
  program: string,
  args: readonly string[],
  options: Options = {},
): Promise<string> {
  const { cwd = ROOT, env = {} } = options
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      ...{ cwd, env: { ...process.env, ...env }, maxBuffer: MOST_OUTPUT_BYTES },
    })
    return stdout
  } catch (error) {
    throw failure(program, args, error)
  }
}

export async function until(what: string, attempt: () => unknown): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (true) {
    try {
      await attempt()
      return
    } catch (cause) {
      if (performance.now() > deadline) throw new Error(`timed out: ${what}: ${cause}`, { cause })
    }
    await pause(PAUSE_MS)
  }
}
