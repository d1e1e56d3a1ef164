import { type GuardedCommand, type GuardedProcess, startGuarded } from './guard.ts'

export type ReadyProcess = {
  pid: number
  /** Resolves when the process has ended, with its last lines of output, for callers that must notice a crash. */
  exited: Promise<{ lastLines: string }>
  stop: GuardedProcess['stop']
}

const KEPT_LINES = 30

/**
 * Starts a child that cannot outlive this process, and waits for the line in which it says that it is ready.
 * @returns the child, or its last lines of output if it ended instead
 */
export async function startUntilReady(
  command: GuardedCommand,
  isReady: (line: string) => boolean,
): Promise<ReadyProcess | { lastLines: string }> {
  const lines: string[] = []
  const ready = Promise.withResolvers<undefined>()
  const { pid, stop, ...guarded } = startGuarded({
    ...command,
    onOutput(line, stream) {
      command.onOutput?.(line, stream)
      lines.push(line)
      lines.splice(0, lines.length - KEPT_LINES)
      if (isReady(line)) ready.resolve(undefined)
    },
  })
  const exited = guarded.exited.then(() => ({ lastLines: lines.join('\n') }))
  const ended = await Promise.race([ready.promise, exited])
  if (ended !== undefined || pid === undefined) return exited
  return { pid, exited, stop }
}
