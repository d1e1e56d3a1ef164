// Runs under the system's Node (20 or newer) in a clone without installed packages, so it may use
// only `node:` modules and no TypeScript.
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

const WANTED_MAJOR = 24
const PLATFORM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
/** The npm package with Node for this platform. The usual package for Apple Silicon has no version 24. */
const BUNDLED_NODE = PLATFORM === 'darwin-arm64' ? `node-bin-${PLATFORM}` : `node-${PLATFORM}`
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']
const PARENT_CHECK_MS = 500
/** Node's compile cache. Processes that load the same files start a third faster. */
const COMPILE_CACHE = join(ROOT, '.cache/node')

/** An expected failure, with a message for the user at the terminal. */
export class BootstrapError extends Error {}

/**
 * Makes the clone runnable: installs packages when they differ from package-lock.json.
 * @param {{ say?: (line: string) => void }} [options]
 * @returns {Promise<string>} the path of a Node that runs TypeScript
 */
export async function bootstrap({ say = () => {} } = {}) {
  if (!isInstalled()) {
    say(
      'Installing packages (only when package-lock.json changed; about a minute the first time) …',
    )
    assertWritable()
    await install()
  }
  return findNode()
}

/**
 * Whether node_modules contains what package-lock.json requires, according to npm's record of the last completed
 * install. Optional packages may be missing, except Node for this platform.
 */
function isInstalled() {
  const wanted = readJson(join(ROOT, 'package-lock.json'))?.packages ?? {}
  const present = readJson(join(ROOT, 'node_modules/.package-lock.json'))?.packages
  if (present === undefined) return false
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    const found = present[path]
    if (found === undefined)
      return entry.optional === true && path !== `node_modules/${BUNDLED_NODE}`
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

function assertWritable() {
  const modules = join(ROOT, 'node_modules')
  const folder = existsSync(modules) ? modules : ROOT
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    const { uid } = statSync(folder)
    throw new BootstrapError(
      `Packages must be installed, but ${folder} belongs to another user (uid ${uid}) and you may not write there: ` +
        'start as that user, or use your own clone.',
    )
  }
}

async function install() {
  const flags = [
    'ci',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  const npm = process.env.npm_execpath
  const [command, args] = npm ? [process.execPath, [npm, ...flags]] : ['npm', flags]
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(127))
    child.once('exit', resolve)
  })
  if (code !== 0) {
    throw new BootstrapError('npm ci failed (see its message above). Fix that, then start again.')
  }
}

function findNode() {
  const bundled = join(
    ROOT,
    'node_modules',
    BUNDLED_NODE,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  // The file may exist but not run, for example because of another C library.
  if (existsSync(bundled) && spawnSync(bundled, ['--version']).status === 0) return bundled
  const [major] = process.versions.node.split('.').map(Number)
  if (major >= WANTED_MAJOR) return process.execPath
  throw new BootstrapError(
    `This needs Node ${WANTED_MAJOR} or newer: the one from npm does not run on ${process.platform} ${process.arch}, ` +
      `and yours is ${process.version}. Install Node ${WANTED_MAJOR} and start again.`,
  )
}

/**
 * Runs a file under `node` until it exits. Forwards signals. If this process is killed, the child can tell by its
 * closed IPC channel; if the `npm` that started this process is killed, the child gets SIGTERM.
 * @returns {Promise<number>} the exit code
 */
export function runFile(node, file, args = []) {
  const child = spawn(node, [file, ...args], {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env },
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
    console.error(error instanceof BootstrapError ? `\n${error.message}` : error)
    process.exitCode = 1
  }
}
