import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { inspectProcess } from './processes.ts'

export type LockFile = {
  path: string
  /** A part of a rightful holder's command line: process numbers are given out again. */
  holderArgs: string
}

/**
 * Takes a lock that the death of its holder releases, however it died.
 * @returns undefined when this process now holds it, else the process that does
 */
export function takeLockFile({ path, holderArgs }: LockFile): number | undefined {
  const mine = `${path}.${process.pid}`
  writeFileSync(mine, `${process.pid}\n`)
  try {
    while (true) {
      const holder = tryLink(mine, path)
      if (holder === undefined) return undefined
      if (isHolder(holder, holderArgs)) return holder
      dropStale(path, holder)
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

export function releaseLockFile(path: string): void {
  rmSync(path, { force: true })
}

/** The file appears with its content in one step, so nobody ever reads half of it. */
function tryLink(mine: string, path: string): number | undefined {
  while (true) {
    try {
      linkSync(mine, path)
      return undefined
    } catch (error) {
      const holder = readHolder(path)
      if (holder !== undefined) return holder
      // Released in between; anything else is no matter of locks.
      if (!isExisting(error)) throw error
    }
  }
}

function isHolder(pid: number, holderArgs: string): boolean {
  if (pid === process.pid) return false
  const found = inspectProcess(pid)
  return found.state === 'alive' && found.args.includes(holderArgs)
}

/** Two may find the same stale lock; the later one must not take away the earlier one's new lock. */
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

function isExisting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
