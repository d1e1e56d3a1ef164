import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hasCode } from './error-code.ts'
import { isRunningWith } from './processes.ts'

export type LockFile = {
  path: string
  /** A part of the command line of a legitimate holder: process ids are reused. */
  holderArgs: string
}

/**
 * Takes a lock that is released when its holder dies, however it died.
 * @returns undefined when this process now holds it, else the process id of the holder
 */
export function takeLockFile({ path, holderArgs }: LockFile): number | undefined {
  const mine = `${path}.${process.pid}`
  try {
    writeFileSync(mine, `${process.pid}\n`)
    while (true) {
      const holder = tryLink(mine, path)
      if (holder === undefined) return undefined
      if (holder !== process.pid && isRunningWith(holder, holderArgs)) return holder
      dropStale(path, holder)
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

export function releaseLockFile(path: string): void {
  rmSync(path, { force: true })
}

/** The file appears together with its content atomically, so nobody ever reads half of it. */
function tryLink(mine: string, path: string): number | undefined {
  while (true) {
    try {
      linkSync(mine, path)
      return undefined
    } catch (error) {
      const holder = readHolder(path)
      if (holder !== undefined) return holder
      // The lock was released in between; any other error is unrelated to the lock.
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
}

/** Two processes may find the same stale lock; the later one must not remove the earlier one's new lock. */
function dropStale(path: string, holder: number): void {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (existsSync(path)) throw error
    return
  }
  if (readHolder(aside) !== holder && !existsSync(path)) linkSync(aside, path)
  rmSync(aside)
}

function readHolder(path: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(path, 'utf8'), 10)
  } catch (error) {
    if (existsSync(path)) throw error
    return undefined
  }
}
