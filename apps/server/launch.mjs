// Starts TypeScript files. Runs under the system's Node (20 or newer) and possibly without installed packages, so it may
// use only `node:` modules and no TypeScript. It never installs anything.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const WANTED_MAJOR = 24
const PLATFORM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
/** The npm package with Node for this platform. The usual package for Apple Silicon has no version 24. */
export const BUNDLED_NODE =
  PLATFORM === 'darwin-arm64' ? `node-bin-${PLATFORM}` : `node-${PLATFORM}`
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']
const PARENT_CHECK_MS = 500
/** Node's compile cache. Processes that load the same files start a third faster. */
const COMPILE_CACHE = join(ROOT, '.cache/node')

/** An expected failure, with a message for the user at the terminal. */
export class LaunchError extends Error {}

/** npm's record of its last completed installation here; undefined if there is none. */
export function readInstalled() {
  return readPackages('node_modules/.package-lock.json')
}

/** Requires a completed installation, with or without the packages for development, that contains this package. */
export function requirePackages(name = '@dct/server') {
  if (readInstalled()?.[`node_modules/${name}`] !== undefined) return
  throw new LaunchError(
    `The packages in ${join(ROOT, 'node_modules')} are missing or incomplete: run npm ci --omit=dev in ${ROOT} first.`,
  )
}

/** The packages that a lock file lists, by their paths; undefined if there is no such file. */
export function readPackages(file) {
  const path = join(ROOT, file)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined
}

/** @returns {string} the path of a Node that runs TypeScript: the one among the packages, or this one */
export function findNode() {
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const bundled = join(ROOT, 'node_modules', BUNDLED_NODE, 'bin', file)
  // The file may exist but not run, for example because of another C library.
  if (existsSync(bundled) && spawnSync(bundled, ['--version']).status === 0) return bundled
  const [major] = process.versions.node.split('.').map(Number)
  if (major >= WANTED_MAJOR) return process.execPath
  throw new LaunchError(
    `This needs Node ${WANTED_MAJOR} or newer: none that runs on ${process.platform} ${process.arch} is among the ` +
      `packages, and yours is ${process.version}. Install Node ${WANTED_MAJOR} and start again.`,
  )
}

/**
 * Runs a file under `node` until it exits. Forwards signals. If this process is killed, the child can tell by its
 * closed IPC channel; if the `npm` that started this process is killed, the child gets SIGTERM.
 * @returns {Promise<number>} the exit code
 */
export function runFile(node, file, args = [], settings = process.env) {
  const child = spawn(node, [file, ...args], {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...settings },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  const forward = (signal) => child.kill(signal)
  for (const signal of FORWARDED) process.on(signal, forward)
  const npm = findNpm()
  const watch = setInterval(() => {
    if (npm !== undefined && !isRunning(npm)) child.kill('SIGTERM')
  }, PARENT_CHECK_MS)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      clearInterval(watch)
      for (const name of FORWARDED) process.off(name, forward)
      resolve(code ?? (signal === 'SIGINT' ? 130 : 1))
    })
  })
}

/** The process id of the npm that runs this script, possibly through a shell. Linux only. */
function findNpm() {
  if (!process.env.npm_lifecycle_event) return undefined
  const parent = readStat(process.ppid)
  if (parent === undefined) return undefined
  return ['sh', 'dash', 'bash'].includes(parent.name) ? parent.ppid : process.ppid
}

function isRunning(pid) {
  const stat = readStat(pid)
  return stat !== undefined && stat.state !== 'Z'
}

function readStat(pid) {
  try {
    const [, name, state, ppid] = /\((.*)\) (\S) (\d+)/s.exec(
      readFileSync(`/proc/${pid}/stat`, 'utf8'),
    )
    return { name, state, ppid: Number(ppid) }
  } catch {
    // No such process, or a system without /proc.
    return undefined
  }
}

/** Exits with the code that `main` returns. For an expected failure, prints one line without a stack trace. */
export async function exitWith(main) {
  try {
    process.exitCode = await main()
  } catch (error) {
    console.error(error instanceof LaunchError ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}
