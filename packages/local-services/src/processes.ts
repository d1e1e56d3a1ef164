import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

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
    if (isMissing(error)) return { state: 'gone' }
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(`${error.code}`)
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
