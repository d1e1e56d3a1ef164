import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

/** A new file could not be written; nothing of it is left, so the command can be repeated. */
export class FileNotWritten extends Error {
  override name = 'FileNotWritten'
  readonly code: string

  constructor(path: string, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? `${cause.code}` : 'UNKNOWN'
    const why = code === 'ENOSPC' || code === 'EDQUOT' ? 'is full' : `refuses it (${code})`
    super(`${path} was not written: the disk of ${dirname(path)} ${why}. Nothing of it is left.`, {
      cause,
    })
    this.code = code
  }
}

/**
 * Creates a file that only its owner can read, and stores it on disk before it returns. If that fails, as on a full disk,
 * what was written is removed: a half-written file would be taken for a whole one, or refuse the next attempt.
 * @param fill writes the content to the opened file
 * @throws FileNotWritten; EEXIST when there is such a file, which is never overwritten
 */
export function createFile(path: string, fill: (file: number) => void): void {
  const file = open(path)
  try {
    fill(file)
    fsyncSync(file)
  } catch (error) {
    rmSync(path, { force: true })
    throw new FileNotWritten(path, error)
  } finally {
    closeSync(file)
  }
}

/** A disk can also be full of files: then it refuses a new one. */
function open(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw isTaken ? error : new FileNotWritten(path, error)
  }
}
