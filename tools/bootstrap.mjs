// Runs under the system's Node (20 or newer) in a clone without installed packages, so it may use
// only `node:` modules and no TypeScript.
import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import {
  BUNDLED_NODE,
  findNode,
  LaunchError,
  ROOT,
  readInstalled,
  readPackages,
} from '../apps/server/launch.mjs'

/**
 * Makes a developer's clone runnable: installs packages when they differ from package-lock.json. An installation made
 * without development packages serves a running service, so it is never changed.
 * @param {{ say?: (line: string) => void }} [options]
 * @returns {Promise<string>} the path of a Node that runs TypeScript
 */
export async function bootstrap({ say = () => {} } = {}) {
  const wanted = Object.entries(readPackages('package-lock.json') ?? {})
  const present = readInstalled()
  if (present === undefined || !isComplete(wanted, present)) {
    if (present !== undefined && isForProduction(present)) {
      throw new LaunchError(
        `The packages in ${join(ROOT, 'node_modules')} were installed without those for development, which this needs: ` +
          'run it in another clone. Nothing was changed.',
      )
    }
    say(
      'Installing packages (only when package-lock.json changed; about a minute the first time) …',
    )
    assertWritable()
    await install()
  }
  return findNode()
}

/**
 * Whether npm's last completed installation contains what package-lock.json requires. Optional packages may be missing,
 * except Node for this platform.
 */
function isComplete(wanted, present) {
  return wanted.every(([path, entry]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    const found = present[path]
    if (found === undefined)
      return entry.optional === true && path !== `node_modules/${BUNDLED_NODE}`
    return found.version === entry.version && found.integrity === entry.integrity
  })
}

/** Whether the installation has no package that only development needs: npm ci --omit=dev, of whichever version. */
function isForProduction(present) {
  return Object.values(present).every(({ dev }) => dev !== true)
}

function assertWritable() {
  const modules = join(ROOT, 'node_modules')
  const folder = existsSync(modules) ? modules : ROOT
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    const { uid } = statSync(folder)
    throw new LaunchError(
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
    throw new LaunchError('npm ci failed (see its message above). Fix that, then start again.')
  }
}
