import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * Replaces a file, and keeps its owner and mode. After a failure, such as a full disk or a power cut, it has either its
 * old content or the new one, and nothing else is left, so the command can be repeated.
 * @throws Error that names the folder
 */
export function replaceFile(given: string, text: string): void {
  const path = existsSync(given) ? realpathSync(given) : given
  const folder = dirname(path)
  const next = `${path}.next`
  try {
    mkdirSync(folder, { recursive: true })
    writeFileSync(next, text, { mode: 0o600, flush: true })
    if (existsSync(path)) takeAfter(path, next)
    renameSync(next, path)
    const opened = openSync(folder, 'r')
    fsyncSync(opened)
    closeSync(opened)
  } catch (cause) {
    rmSync(next, { force: true })
    throw new Error(`${path} was not written: ${folder} ${reasonOf(cause)}.`, { cause })
  }
}

function takeAfter(former: string, next: string): void {
  const { mode, uid, gid } = statSync(former)
  chmodSync(next, mode)
  // Nobody else may give a file away.
  if (process.getuid?.() === 0) chownSync(next, uid, gid)
}

function reasonOf(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? `${cause.code}` : 'UNKNOWN'
  return code === 'ENOSPC' || code === 'EDQUOT' ? 'is on a full disk' : `refuses it (${code})`
}
