import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export type ExitOutcome = { code: number | null; signal: NodeJS.Signals | null }
export type OutputStream = 'stdout' | 'stderr'

export type GuardedCommand = {
  command: string
  args: readonly string[]
  /** The child's whole environment; by default, that of this process. */
  env?: NodeJS.ProcessEnv
  cwd?: string
  uid?: number
  gid?: number
  /** The signal that the guard sends when this process has ended; SIGTERM by default. */
  orphanSignal?: NodeJS.Signals
  /** Called with each line that the child prints. */
  onOutput?: (line: string, stream: OutputStream) => void
}

export type GuardedProcess = {
  /** The process id of the command itself; undefined when it could not be started. */
  pid: number | undefined
  /** Resolves once the child has ended and its last line was passed on. Never rejects. */
  exited: Promise<ExitOutcome>
  /** Signals the child (SIGTERM), kills it after `timeoutMs` (10 s), and resolves when it has ended. */
  stop(signal?: NodeJS.Signals, timeoutMs?: number): Promise<void>
}

/**
 * The child waits for a line of input before the shell becomes the command (`exec`), so that pid, signals and exit
 * status are the command's own. If this process dies before that, its `read` ends and the child exits.
 */
const CHILD = 'read -r go <&3 || exit; exec "$@" 3<&-'

/**
 * A second shell reads from a pipe that this process holds open. A line of input means that the child has ended; end of
 * file means that this process is gone, however it died.
 */
const WATCHER = `
pid=$1 signal=$2 polls=$3
read -r released <&3 && exit
kill -"$signal" "$pid"
while [ "$polls" -gt 0 ] && kill -0 "$pid"; do
  sleep 0.1
  polls=$((polls - 1))
done
kill -KILL "$pid"
`
const ORPHAN_POLLS_OF_100_MS = 50
const PIPE_FD = 3
const LEFTOVER_OUTPUT_MS = 2_000

/**
 * Starts a child that cannot outlive this process, even if this process is killed with SIGKILL. The child runs in a
 * separate process group, so that Ctrl-C in a terminal reaches only this process and services can be stopped in order.
 */
export function startGuarded(options: GuardedCommand): GuardedProcess {
  const { command, args, env, cwd, onOutput } = options
  const report = (text: string) => onOutput?.(text, 'stderr')
  const child = spawn('/bin/sh', ['-c', CHILD, 'child', command, ...args], {
    ...identity(options),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
  })
  forwardLines(child, 'stdout', onOutput)
  forwardLines(child, 'stderr', onOutput)
  const ended = outcomeOf(child, report)
  if (child.pid === undefined) return { pid: undefined, exited: ended, stop: async () => {} }

  const watcher = startWatcher(child.pid, options)
  const unwatched = outcomeOf(watcher, report)
  child.once('exit', () => sendLine(watcher, 'released'))
  sendLine(child, 'go')
  // Waits for both, so that neither becomes a zombie when this process ends right afterwards.
  const exited = Promise.all([ended, unwatched]).then(([outcome]) => outcome)
  return { pid: child.pid, exited, stop: (how, timeoutMs) => stop(child, exited, how, timeoutMs) }
}

function identity({ uid, gid }: GuardedCommand) {
  return { ...(uid !== undefined && { uid }), ...(gid !== undefined && { gid }) }
}

function startWatcher(pid: number, options: GuardedCommand): ChildProcess {
  const signal = (options.orphanSignal ?? 'SIGTERM').slice('SIG'.length)
  const args = ['-c', WATCHER, 'watcher', `${pid}`, signal, `${ORPHAN_POLLS_OF_100_MS}`]
  return spawn('/bin/sh', args, {
    ...identity(options),
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  })
}

/** Failures are ignored: if the other end is already gone, the line does not matter. */
function sendLine(child: ChildProcess, word: string): void {
  const pipe = child.stdio[PIPE_FD]
  if (!pipe || !('end' in pipe)) return
  pipe.on('error', () => pipe.destroy())
  pipe.end(`${word}\n`)
}

function forwardLines(
  child: ChildProcess,
  name: OutputStream,
  onOutput: GuardedCommand['onOutput'],
) {
  const stream = child[name]
  if (!stream) return
  // Without a reader, the pipe would fill up and block the child.
  if (!onOutput) stream.resume()
  else createInterface({ input: stream }).on('line', (line) => onOutput(line, name))
}

function outcomeOf(child: ChildProcess, report: (text: string) => void): Promise<ExitOutcome> {
  return new Promise((resolve) => {
    child.once('error', (error) => {
      report(error.message)
      if (child.pid === undefined) resolve({ code: null, signal: null })
    })
    child.once('exit', () => {
      // A grandchild may hold the pipes open for much longer.
      setTimeout(() => {
        for (const stream of child.stdio) stream?.destroy()
      }, LEFTOVER_OUTPUT_MS).unref()
    })
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
}

async function stop(
  child: ChildProcess,
  exited: Promise<ExitOutcome>,
  signal: NodeJS.Signals = 'SIGTERM',
  timeoutMs = 10_000,
): Promise<void> {
  child.kill(signal)
  const deadline = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  await exited
  clearTimeout(deadline)
}
