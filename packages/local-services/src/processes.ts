import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { hasCode } from './error-code.ts'

export type ProcessState = { state: 'gone' | 'zombie' } | { state: 'alive'; args: string }

/**
 * The state of the process with this id. `kill -0` would report a zombie as alive, and where process 1 does not reap
 * its children (in many containers), every killed process remains a zombie.
 */
export function inspectProcess(pid: number): ProcessState {
  return existsSync('/proc/self/stat') ? fromProc(pid) : fromPs(pid)
}

function fromProc(pid: number): ProcessState {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
    if (state === 'Z' || state === 'X') return { state: 'zombie' }
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return { state: 'alive', args }
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH')) return { state: 'gone' }
    throw error
  }
}

/** Whether a process is running and has `args` in its command line: process ids are reused. */
export function isRunningWith(pid: number, args: string): boolean {
  const found = inspectProcess(pid)
  return found.state === 'alive' && found.args.includes(args)
}

/** Sends a signal to a process, which may have ended since it was found. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

/**
 * Signals the process that a killed owner left behind, unless its id belongs to another one by now.
 * @returns whether it has ended; false when it is still running after `patienceMs`
 */
export async function endLeftover(
  { pid, args }: { pid: number; args: string },
  { signal, patienceMs }: { signal: NodeJS.Signals; patienceMs: number },
): Promise<boolean> {
  if (isRunningWith(pid, args)) signalProcess(pid, signal)
  const deadline = performance.now() + patienceMs
  while (isRunningWith(pid, args)) {
    if (performance.now() > deadline) return false
    await pause(20)
  }
  return true
}

function fromPs(pid: number): ProcessState {
  let line: string
  try {
    line = execFileSync('ps', ['-o', 'stat=,args=', '-p', `${pid}`], { encoding: 'utf8' }).trim()
  } catch (error) {
    // ps exits with status 1 when there is no such process.
    if (error instanceof Error && 'status' in error && error.status === 1) return { state: 'gone' }
    throw error
  }
  const [stat = '', ...args] = line.split(/\s+/)
  if (stat === '') return { state: 'gone' }
  return stat.startsWith('Z') ? { state: 'zombie' } : { state: 'alive', args: args.join(' ') }
}
