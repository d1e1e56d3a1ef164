import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export type ExitOutcome = { code: number | null; signal: NodeJS.Signals | null }
export type OutputStream = 'stdout' | 'stderr'

export type GuardedCommand = {
  command: string
  args: readonly string[]
  /** The child's whole environment; ours when left out. */
  env?: NodeJS.ProcessEnv
  cwd?: string
  uid?: number
  gid?: number
  /** What the guard sends when our process has died; SIGTERM when left out. */
  orphanSignal?: NodeJS.Signals
  /** One call per line that the child prints. */
  onOutput?: (line: string, stream: OutputStream) => void
}

export type GuardedProcess = {
  /** The command's own process id; undefined when it could not be started at all. */
  pid: number | undefined
  /** Resolves once the child is gone and its last line was handed on. Never rejects. */
  exited: Promise<ExitOutcome>
  /** Signals the child (SIGTERM), kills it after `timeoutMs` (10 s), and resolves when it is gone. */
  stop(signal?: NodeJS.Signals, timeoutMs?: number): Promise<void>
}

/**
 * The child waits for a word before the shell becomes the command (`exec`), so pid, signals and exit
 * status are the command's own. If we die before that, its `read` ends and so does it.
 */
const CHILD = 'read -r go <&3 || exit; exec "$@" 3<&-'

/**
 * A second shell holds a pipe of ours open for reading. A word means that the child has ended; the
 * end of the pipe means that our process is gone, however it died.
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
 * Starts a child that cannot outlive this process, not even when this process is killed with
 * SIGKILL. The child runs in a process group of its own, so Ctrl-C in a terminal reaches only us
 * and services can be stopped in order.
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
  child.once('exit', () => tell(watcher, 'released'))
  tell(child, 'go')
  // Both are waited for, so that neither stays behind as a zombie when we end right afterwards.
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

/** Nobody hears it when the other end is gone already, and then it does not matter. */
function tell(child: ChildProcess, word: string): void {
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
  // Without a reader the pipe would fill up and stop the child.
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
      // A grandchild may hold the pipes open for longer than anybody wants to wait.
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
