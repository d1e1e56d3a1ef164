import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { join } from 'node:path'

/** Starts a file of this folder as a child process that communicates in messages and ends when this process does. */
export function startChild(file: string, args: readonly string[] = []): ChildProcess {
  return fork(join(import.meta.dirname, file), args, { serialization: 'advanced' })
}

/**
 * The messages of a child.
 * @throws Error when the child ends
 */
export async function* messagesFrom(child: ChildProcess): AsyncGenerator<unknown> {
  const ended = new AbortController()
  const end = () => ended.abort(new Error('a benchmark process ended early'))
  child.once('exit', end)
  try {
    for await (const [message] of on(child, 'message', { signal: ended.signal })) yield message
  } finally {
    child.off('exit', end)
  }
}

/** Waits for the next message of a child. Call it before triggering whatever makes the child send it. */
export async function messageFrom(child: ChildProcess): Promise<unknown> {
  for await (const message of messagesFrom(child)) return message
  return undefined
}

/** Ends children by closing their channel, and waits until they are gone. */
export async function endChildren(children: readonly ChildProcess[]): Promise<void> {
  const running = children.filter(
    ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
  )
  await Promise.all(
    running.map(async (child) => {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    }),
  )
}
