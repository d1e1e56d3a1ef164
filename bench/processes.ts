import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts processor time in hundredths of a second. */
const TICKS = 100
const isLinux = process.platform === 'linux'

/** The processor time that these processes used so far, in seconds; NaN on systems other than Linux. */
export function processorSeconds(pids: readonly (number | undefined)[]): number {
  if (!isLinux) return Number.NaN
  return pids.reduce<number>((sum, pid) => sum + ticksOf(statOf(pid), OWN_TICKS), 0) / TICKS
}

/**
 * The same for a process and all its children, including those that have ended: for a PostgreSQL server, pass its first
 * process.
 */
export function familySeconds(pid: number): number {
  if (!isLinux) return Number.NaN
  const own = ticksOf(statOf(pid), [...OWN_TICKS, ...ENDED_TICKS])
  const living = childrenOf(pid).map((child) => ticksOf(statOf(child), OWN_TICKS))
  return living.reduce((sum, ticks) => sum + ticks, own) / TICKS
}

/**
 * A process's proportional set size (its own memory and its part of shared memory), in bytes; NaN on systems other than
 * Linux.
 */
export function proportionalBytes(pid: number | undefined): number {
  if (!isLinux) return Number.NaN
  const found = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))
  return Number(found?.[1]) * 1_024
}

/** The ids of the living children of a process. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(statOf(pid)?.[PARENT]) === parent)
}

export function parentOf(pid: number): number {
  return Number(statOf(pid)?.[PARENT])
}

/** Positions of fields in /proc/PID/stat, counted after the name, which may contain spaces. */
const PARENT = 1
const OWN_TICKS = [11, 12]
const ENDED_TICKS = [13, 14]

function statOf(pid: number | undefined): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
  } catch {
    // The process has ended since it was listed.
    return undefined
  }
}

function ticksOf(stat: string[] | undefined, fields: readonly number[]): number {
  return fields.reduce((sum, field) => sum + Number(stat?.[field] ?? 0), 0)
}
